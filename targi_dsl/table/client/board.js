// The table: boards, cards on them, zones, and what belongs to each player.
import {html, svg, nothing} from "./lit-html.js";
import {areSmall, card, cardWords} from "./faces.js";
import {amount, ground, hasMark, mark, paint, piece, pieceColour, seatColour, thing} from "./marks.js";
import {word} from "./source.js";

const FIELD = 2.6; // how many times as wide as a line the fields of a grid with lines are

let game = null, regions = new Map(), shown = null, at = null, grid = null;

const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
const tracks = (count) => Array.from({length: count}, (_, at) => at % 2 ? FIELD : 1);
/** The columns and rows of a table, in narrow ones where it is a grid with lines. */
const size = ({rows, is_lattice}) => [Math.max(...rows.map((row) => row.length)), rows.length].map((count) => is_lattice ? total(tracks(count)) : count);

/** Takes over the equipment of a game. */
export function useBoard(equipment) {
  game = equipment;
  regions = new Map(equipment.regions.map((one) => [one.id, one]));
  const shared = equipment.layout.filter((part) => part.is === "table" && part.rows.flat().some((id) => id && equipment.places[id]));
  grid = {cols: Math.max(1, ...shared.map((part) => size(part)[0])), rows: total(shared.map((part) => size(part)[1])), boards: shared.length};
}

/** The table in the middle and the players. context: the `open`, `hot`, `fresh`, `leads` and `picked`
 * things, and what to do. */
export function draw(view, context) {
  shown = view;
  at = context;
  const shared = game.layout.filter((part) => part.is !== "player");
  const own = game.layout.filter((part) => part.is === "player");
  const loose = leftOut("").map((id) => zone(id));
  return {
    middle: html`<section class="middle" aria-label=${word("Table")}>
      ${shared.map((part) => part.is === "table" ? titled(part, "") : line(part, ""))}
      ${loose.length ? html`<div class="line zones">${loose}</div>` : nothing}</section>`,
    players: html`<section class="players" aria-label=${word("Players")}>
      ${game.players.map((seat) => player(seat, own.find((part) => part.player === seat.id)))}</section>`,
    isBoard: !own.length && !game.players.some((seat) => leftOut(seat.id).length),
  };
}

/** What lies on a place; its cards are turned only where others lie face up. */
function contents(id) {
  const found = shown.places[id] ?? {};
  return found.cards && game.places[id].hides ? {...found, cards: found.cards.map((one) => ({...one, down: false}))} : found;
}
const leftOut = (owner) => Object.values(game.places)
  .filter((one) => one.is_zone && (one.owner ?? "") === owner && one.is_left_out && contents(one.id).cards?.length)
  .map((one) => one.id);

// ---- boards ----

function table(part, owner) {
  const places = part.rows.flat().filter(Boolean);
  const look = regions.get(game.places[places[0]].region)?.look ?? {};
  const [cols, rows] = size(part), {fill, ink, edge} = paint(look.colour ?? "sand");
  const all = owner ? {rows, boards: 1} : grid;
  const style = `--cols:${cols};--rows:${all.rows};--boards:${all.boards};--fill:${fill};--ink:${ink};--edge:${edge}`;
  if (part.is_staggered) return hexagons(part, rows, cols, style);
  if (part.is_lattice) return lattice(part, style, look);
  const hasCards = Object.keys(game.cards).length > 0 || places.some((id) => game.places[id].is_zone);
  if (hasCards) return cells(part, rows, cols, owner);
  const isLined = part.joins?.length && part.rows.some((row) => row.includes("") || row.length < cols) && !look.shape?.includes("pit");
  const kind = look.shape === "pit" ? "pits" : isLined ? "spots" : ["disc", "ring"].includes(look.shape) ? "holes" : "squares";
  const where = new Map();
  part.rows.forEach((row, y) => row.forEach((id, x) => id && where.set(id, [x, y])));
  const [down, across] = part.blocks ?? [0, 0];
  const block = (x, y) => `${x && x % across === 0 ? "left" : ""} ${y && y % down === 0 ? "above" : ""}`;
  return html`<div class="board ${kind} ${look.colour ? "" : "plain"}" .style=${style}>
    ${kind === "spots" ? html`<svg class="joins" viewBox="0 0 ${cols} ${rows}" aria-hidden="true">${part.joins.map(([a, b]) => {
      const [x1, y1] = where.get(a), [x2, y2] = where.get(b);
      return svg`<line x1=${x1 + 0.5} y1=${y1 + 0.5} x2=${x2 + 0.5} y2=${y2 + 0.5}></line>`;
    })}</svg>` : nothing}
    ${part.rows.map((row, y) => row.map((id, x) => id
      ? space(id, kind === "pits" ? pit(id) : things(id), `${(x + y) % 2 ? "odd" : ""} ${block(x, y)}`, `grid-area:${y + 1}/${x + 1}`) : nothing))}</div>`;
}

function hexagons(part, rows, cols, style) {
  const wide = cols + (rows - 1) / 2, high = (1.5 * (rows - 1) + 2) / Math.sqrt(3);
  const hasCard = (id) => contents(id).cards?.length, each = part.rows.flat().some((id) => id && hasCard(id)) ? "--each:190px;" : "";
  return html`<div class="board hexes" .style=${`${each}--wide:${wide};--high:${high};${style}`}>
    ${part.rows.map((row, y) => row.map((id, x) => {
      if (!id) return nothing;
      const left = 100 * (x + y / 2) / wide, top = 100 * (1.5 * y / Math.sqrt(3)) / high;
      return space(id, hasCard(id) ? html`<div class="tile ${areSmall() ? "upright" : ""}">${cell(id)}</div>` : things(id), "", `left:${left}%;top:${top}%`);
    }))}</div>`;
}

/** A grid with its lines: every other row and column is narrow, and an edge has the colour of the piece on it. */
function lattice(part, style, look) {
  const columns = tracks(part.rows[0].length).map((one) => `${one}fr`).join(" ");
  const line = (id) => {
    const on = game.pieces[contents(id).pieces?.[0]];
    return on ? `;--line:${pieceColour(on).fill}` : "";
  };
  return html`<div class="board lattice ${look.colour ? "" : "plain"}" .style=${`${style};grid-template-columns:${columns}`}>
    ${part.rows.map((row, y) => row.map((id, x) => {
      if (!id) return nothing;
      const isEdge = x % 2 !== y % 2, where = `grid-area:${y + 1}/${x + 1}`;
      return space(id, isEdge ? nothing : things(id), ["post", "across", "down", "field"][y % 2 * 2 + x % 2], isEdge ? where + line(id) : where);
    }))}</div>`;
}

/** A grid of places with cards; rows of a player's places on which nothing lies are slim. */
function cells(part, rows, cols, owner) {
  const hasCards = part.rows.flat().some((id) => id && (owner || contents(id).cards?.length));
  const isBare = (row) => owner && row.every((id) => !id || !shown.places[id]) && !row.some((id) => at.open.has(`place ${id}`));
  return html`<div class="cells ${areSmall() ? "upright" : ""} ${owner ? "own" : "shared"} ${hasCards ? "" : "bare"}" .style=${`--cols:${cols};--of:${owner ? cols : grid.cols};--rows:${owner ? rows : grid.rows}`}>
    ${part.rows.map((row, y) => row.map((id, x) => id
      ? space(id, cell(id), isBare(row) ? "slim" : "", `grid-area:${y + 1}/${x + 1}`) : nothing))}</div>`;
}

function cell(id) {
  const {cards = [], values = []} = contents(id), info = game.places[id];
  const address = info.owner && cards.length ? nothing : html`<span class="address">${info.owner ? info.label : info.address}</span>`;
  const visitors = html`<div class="visitors">${address}${pieces(id)}${held(id)}${valueMarks(values)}</div>`;
  if (!cards.length) {
    const look = regions.get(info.region)?.look ?? {}, {fill} = paint(look.colour ?? "grey");
    return html`<div class="bare-place" .style=${`--fill:${fill}`} aria-hidden="true">${visitors}</div>`;
  }
  const count = cards.reduce((sum, one) => sum + (one.count ?? 1), 0);
  const isCascade = (info.owner || areSmall()) && count > 1 && cards.every((one) => one.id);
  if (isCascade) return html`<div class="cascade">${[...cards].reverse().map((one) => card(one))}${visitors}</div>`;
  return html`${card(cards[0], visitors, count > 1 ? "stack" : "")}${count > 1 ? html`<span class="count">${count}</span>` : nothing}`;
}

// ---- what lies on a space ----

function pieces(id) {
  const counted = new Map();
  for (const name of contents(id).pieces ?? []) {
    const one = game.pieces[name], key = `${one.kind} ${one.owner ?? ""}`;
    counted.set(key, [...(counted.get(key) ?? []), one]);
  }
  return [...counted.values()].map((alike) => alike.length > 2
    ? html`<span class="several">${piece(alike[0].kind, alike[0].owner)}<b>${alike.length}</b></span>`
    : alike.map((one) => piece(one.kind, one.owner, isPicked("piece", one.id) ? "picked" : "")));
}

const held = (id) => (contents(id).amounts ?? []).map((one) => amount(one.item, one.number));
const valueMarks = (values) => values.map((one) => hasMark(one.id) ? mark(one.id) : html`<span class="value">${one.name}${one.text ? ` ${one.text}` : ""}</span>`);
const isPicked = (sort, id) => at.picked.has(`${sort} ${id}`);

function things(id) {
  const found = contents(id), info = game.places[id];
  const count = (found.pieces?.length ?? 0) + (found.amounts?.length ?? 0) + (found.values?.length ?? 0);
  return html`<span class="things ${count > 1 ? "many" : ""} ${game.on_spaces?.length === 1 ? "alike" : ""}">${pieces(id)}${held(id)}${valueMarks(found.values ?? [])}</span>
    ${count ? nothing : html`<span class="address">${info.address}</span>`}`;
}

function pit(id) {
  const seeds = (contents(id).amounts ?? []).flatMap((one) => Array(Math.min(one.number, 14)).fill(one.item));
  const total = (contents(id).amounts ?? []).reduce((sum, one) => sum + one.number, 0);
  return html`<span class="hollow">${seeds.map((item, n) => {
    const away = 34 * Math.sqrt((n + 0.5) / Math.max(seeds.length, 4)), angle = 2.39996 * n;
    const colour = paint(thing(item)?.look?.colour ?? "brown").fill;
    return html`<i .style=${`left:${50 + away * Math.cos(angle)}%;top:${50 + away * Math.sin(angle)}%;background:${colour}`}></i>`;
  })}</span><span class="total">${total}</span>`;
}

// ---- a space as a button ----

/** The button of a place: its words are its name, and what is drawn in it is for the eye. */
function space(id, inner, more, where) {
  const key = `place ${id}`, top = contents(id).cards?.[0];
  const isOpen = at.open.has(key) || (top?.id && at.open.has(`card ${top.id}`)) || (contents(id).pieces ?? []).some((one) => at.open.has(`piece ${one}`));
  const states = [isOpen && "open", at.hot.has(key) && "hot", at.leads.has(key) && "leads", at.fresh.has(key) && "fresh", at.picked.has(key) && "picked"];
  return html`<button type="button" class="space ${more} ${states.filter(Boolean).join(" ")}" .style=${where}
    data-place=${id} aria-label=${label(id, isOpen)} @click=${() => at.press(id)}
    @pointerenter=${(event) => at.hover(id, event)} @pointerleave=${() => at.hover(null)}
    @pointerdown=${(event) => at.hold(id, event)} @contextmenu=${(event) => at.enlarge(id, event)}>${inner}</button>`;
}

function label(id, isOpen) {
  const info = game.places[id], {cards = [], pieces: on = [], amounts = [], values = []} = contents(id);
  const said = [
    ...cards.slice(0, 3).map((one) => cardWords(one) + (one.count > 1 ? ` (${one.count})` : "")),
    ...on.map((one) => game.pieces[one].name),
    ...amounts.map((one) => `${one.number} ${thing(one.item)?.name ?? one.item}`),
    ...values.map((one) => `${one.name} ${one.text ?? ""}`.trim()),
  ];
  return `${info.name}: ${said.join(", ") || word("empty")}${isOpen ? ` (${word("Choices")})` : ""}`;
}

// ---- lines and zones ----

function line(part, owner) {
  return html`<div class="line">${part.items.map((item) => entry(item, owner))}</div>`;
}

function entry(item, owner) {
  switch (item.what) {
    case "resource": {
      const [id] = item.of, isOpen = at.open.has(`resource ${id}`);
      const inner = html`${hasMark(id) ? mark(id) : nothing}<span class="word">${thing(id).name}</span><b>${shown.amounts[owner]?.[id] ?? 0}</b>`;
      return isOpen && owner === shown.viewers[0]
        ? html`<button type="button" class="chip open" @click=${() => at.pressThing("resource", id)}>${inner}</button>`
        : html`<span class="chip">${inner}</span>`;
    }
    case "variable":
      return variable(shown.values[item.of[0]]);
    case "pieces": {
      const rest = shown.off_board?.filter((name) => item.of.includes(name)) ?? [];
      return rest.length ? left(game.pieces[rest[0]], rest.length) : nothing;
    }
    default:
      return item.of.map((id) => game.places[id].is_zone ? zone(id) : html`<div class="lone">${space(id, cell(id), "", "")}</div>`);
  }
}

/** Pieces of a kind that are off the board. */
const left = (one, count) => html`<span class="chip">${piece(one.kind, one.owner)}<span class="word">${game.piece_kinds.find((kind) => kind.id === one.kind).name}</span><b>${count}</b></span>`;

/** The pieces of a player that are off the board and in no line, unless all pieces are of one kind. */
function apart(owner, parts) {
  if (game.piece_kinds.length < 2) return nothing;
  const listed = new Set(parts.flatMap((part) => part.items ?? []).filter((item) => item.what === "pieces").flatMap((item) => item.of)), counted = new Map();
  for (const name of shown.off_board ?? []) {
    const one = game.pieces[name];
    if (one.owner === owner && !listed.has(name)) counted.set(one.kind, [one, (counted.get(one.kind)?.[1] ?? 0) + 1]);
  }
  return counted.size ? html`<div class="line apart"><span class="title">${word("off the board")}</span>${[...counted.values()].map((one) => left(...one))}</div>` : nothing;
}

function variable(one) {
  if (!one) return nothing;
  const {name, text} = one;
  const dot = one.sort === "player" && one.id ? html`<i class="dot" .style=${`background:${seatColour(one.id).fill};border-color:${seatColour(one.id).edge}`}></i>` : nothing;
  return html`<span class="chip"><span class="word">${name}</span>${dot}${hasMark(one.id) ? mark(one.id) : nothing}<b>${text || "–"}</b></span>`;
}

/** A zone: all its cards if it is somebody's or they are few and open, else a pile. */
export function zone(id) {
  const info = game.places[id], cards = contents(id).cards ?? [];
  const count = cards.reduce((sum, one) => sum + (one.count ?? 1), 0);
  const isSpread = cards.length && (info.owner ? count <= 200 : count <= 6 && cards.every((one) => one.id) && (!info.refills || areSmall()));
  const title = html`<span class="title">${info.owner ? info.own_name : info.name} <b>${count}</b></span>`;
  if (!count) return html`<div class="zone none">${title}</div>`;
  if (!isSpread) return html`<div class="zone pile">${title}${space(id, html`${card(cards[0], nothing, count > 1 ? "stack" : "")}`, "", "")}</div>`;
  const each = cards.flatMap((one) => Array(one.count ?? 1).fill(one));
  return html`<div class="zone spread">${title}<div class="fan" .style=${`--count:${each.length}`}>${each.map((one) => loose(one))}</div></div>`;
}

/** A card in a hand or beside the question, as a button of its own. */
export function loose(one) {
  if (!one.id) return html`<div class="held" role="img" aria-label=${cardWords(one)}>${card(one)}</div>`;
  const key = `card ${one.id}`, isOpen = at.open.has(key);
  const states = [isOpen && "open", at.hot.has(key) && "hot", at.leads.has(key) && "leads", at.picked.has(key) && "picked"];
  return html`<button type="button" class="held space ${states.filter(Boolean).join(" ")}" data-card=${one.id}
    aria-label=${cardWords(one) + (isOpen ? ` (${word("Choices")})` : "")} @click=${() => at.pressThing("card", one.id)}
    @pointerenter=${(event) => at.hoverCard(one.id, event)} @pointerleave=${() => at.hover(null)}
    @pointerdown=${(event) => at.holdCard(one.id, event)} @contextmenu=${(event) => at.enlargeCard(one.id, event)}>${card(one)}</button>`;
}

// ---- players ----

function player(seat, part) {
  const {fill, ink, edge} = seatColour(seat.id), own = at.viewers.includes(seat.id), status = at.status(seat.id);
  const isAsked = shown.turn === seat.id;
  return html`<article class="player ${own ? "own" : ""} ${isAsked ? "asked" : ""}" .style=${`--band:${ground({fill, ink})};--fill:${fill};--ink:${ink};--edge:${edge}`}>
    <header><i class="dot seat"></i><h2>${seat.name}</h2>${own ? html`<span class="you">${word("you")}</span>` : nothing}
      ${[status, shown.out?.includes(seat.id) && word("out"), shown.passed?.includes(seat.id) && word("has passed")].filter(Boolean)
        .map((one) => html`<span class="status">${one}</span>`)}
      ${at.outcome?.winners?.includes(seat.id) ? html`<span class="flag">★</span>` : nothing}
      ${isAsked ? html`<span class="flag">${word("to move")}</span>` : nothing}</header>
    ${(part?.parts ?? []).map((one) => one.is === "table" ? titled(one, seat.id) : line(one, seat.id))}
    ${leftOut(seat.id).length ? html`<div class="line zones">${leftOut(seat.id).map((id) => zone(id))}</div>` : nothing}
    ${apart(seat.id, part?.parts ?? [])}
  </article>`;
}

/** A table of cards under the name of its places, if they share one. */
function titled(part, owner) {
  const [name, ...others] = new Set(part.rows.flat().filter(Boolean).map((id) => game.places[id].region));
  if (others.length || !Object.keys(game.cards).length) return table(part, owner);
  return html`<div class="titled"><span class="title">${regions.get(name).name}</span>${table(part, owner)}</div>`;
}
