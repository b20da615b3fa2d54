// The page: it draws the newest view, and says what its viewer does.
import {html, nothing, render} from "./lit-html.js";
import {draw, loose, useBoard} from "./board.js";
import {actsOn, freshIn, leadsTo, list, meant, narrowed, news} from "./choices.js";
import {large, refit, useCards} from "./faces.js";
import {rich, seatColour, useEquipment} from "./marks.js";
import {lobby} from "./lobby.js";
import {file, language, setLanguage, socket, useWords, word} from "./source.js";

const root = document.getElementById("page");
const labelled = (name, meaning) => word("{name}: {meaning}", {name, meaning});

const app = {
  equipment: null, welcome: null, now: null, past: null,
  picked: [], pointed: null, typed: "", said: "", waiting: false, isOnline: false, isTyping: false,
  dialog: null, peek: null, seat: null, source: null,
  heading: (seat) => labelled(app.seatName(seat), "").trim(),
  seatName: (id) => app.equipment?.players.find((one) => one.id === id)?.name ?? id,
  choose, update: () => update(), point: (offer) => { app.pointed = offer; update(); },
};

function hear(message) {
  switch (message.is) {
    case "lobby":
      useWords(message.words);
      app.lobby = lobby(message, {say, update});
      document.title = word("Games and tables");
      break;
    case "tables": case "form":
      app.lobby.hear(message);
      break;
    case "begin":
      message = {...message, ...message.edition};
      useWords(message.words);
      Object.assign(app, {welcome: message, equipment: message.equipment});
      document.documentElement.lang = message.equipment.language;
      document.title = message.equipment.title;
      useEquipment(message); useCards(message.equipment); useBoard(message.equipment);
      break;
    case "now":
      if (app.now?.at !== message.at) Object.assign(app, {picked: [], pointed: null, typed: "", waiting: false, peek: null, said: "", isLong: false});
      app.now = message;
      break;
    case "earlier":
      app.past = app.sliding ? message : null;
      break;
    case "why":
      app.said = ""; app.dialog = {kind: "why", reasons: message.reasons};
      break;
    case "scores":
      app.dialog = {kind: "score", scores: message.scores};
      break;
    case "hint":
      app.pointed = offers().find((one) => one.id === message.id) ?? null;
      app.said = app.pointed ? labelled(word("Hint"), `${app.pointed.label} ${app.pointed.thing ?? ""}`) : "";
      break;
    case "rules":
      app.dialog = {kind: "rules", text: message.text, language: message.language};
      break;
    case "refused":
      app.lobby?.hear(message);
      Object.assign(app, {said: message.text, waiting: false});
      break;
    case "go":
      location.hash = message.key;
      return;
    default:
      app.dead = message.is;
  }
  update();
}

// ---- what the viewer does ----

const offers = () => app.past || !app.now?.table ? [] : app.now?.view.offers ?? [];
const left = () => narrowed(offers(), app.picked);
const say = (message) => app.source.say(message);

function choose(offer) {
  if (app.waiting || !app.isOnline) return;
  app.waiting = true;
  say({is: "choose", at: app.now.at, id: offer.id});
  update();
}

/** The things that a place stands for: itself, its top card, and the pieces on it. */
function keysOf(id) {
  const {cards = [], pieces = []} = app.now.view.places[id] ?? {};
  return [`place ${id}`, ...(cards[0]?.id ? [`card ${cards[0].id}`] : []), ...pieces.map((one) => `piece ${one}`)];
}

function pick(keys, why) {
  const found = narrowed(left(), [keys]);
  if (found.length === 1) return choose(found[0]);
  if (app.picked.some((one) => one[0] === keys[0])) app.picked = [];
  else if (found.length) app.picked = [...app.picked, keys];
  else if (app.picked.length) { app.picked = []; return pick(keys, why); }
  else if (offers().length) say({is: "why", ...why});
  update();
}

const press = (id) => !app.dragged && pick(keysOf(id), {sort: "place", id});
const pressThing = (sort, id) => !app.dragged && pick([`${sort} ${id}`], {sort, id});

function type(text) {
  const [first, ...rest] = text.trim().split(/\s+/), typed = first?.toLowerCase() ?? "";
  const does = {undo, score, rules, hint: () => say({is: "hint"}), why: () => say({is: "why", words: rest.join(" ")})};
  const known = {undo: word("undo"), score: word("score"), rules: word("rules"), hint: word("hint"), why: word("why")};
  const command = Object.keys(does).find((name) => [name, known[name]].includes(typed));
  app.typed = "";
  const found = meant(text, left());
  if (found.length === 1) return choose(found[0]);
  if (command && (command === "why" || !rest.length)) does[command]();
  else if (found.length > 1) app.said = found.slice(0, 6).map((one) => `${one.label} ${one.thing ?? ""}`).join("; ");
  else if (text.trim()) say({is: "why", words: text.trim()});
  update();
}

const undo = () => say({is: "undo"});
const standing = () => app.now.view.outcome?.scores ?? app.source.scores;
const score = () => {
  if (standing()) { app.dialog = {kind: "score", scores: standing()}; update(); } else say({is: "score"});
};
const rules = () => say({is: "rules"});
const seats = () => { app.dialog = {kind: "seats"}; update(); };

function slide(step) {
  app.sliding = step < app.now.steps;
  app.past = app.sliding ? app.past : null;
  if (app.sliding) say({is: "look", step: Math.max(0, step)});
  update();
}

// ---- cards shown large, and dragging ----

let timer = 0;
const topCard = (id) => (app.past ?? app.now).view.places[id]?.cards?.[0]?.id;

function peek(id, event, after) {
  clearTimeout(timer);
  if (!id) { if (app.peek) { app.peek = null; update(); } return; }
  if (event.pointerType !== "mouse" && after < 500) return;
  const {clientX: x, clientY: y} = event;
  timer = setTimeout(() => {
    if (event.pointerType === "mouse") app.peek = {id, x, y};
    else enlarge(id);
    update();
  }, after);
}

function enlarge(id, event) {
  event?.preventDefault();
  if (id) { app.dialog = {kind: "card", id}; app.peek = null; update(); }
}

let from = null;
function hold(keys, event, card) {
  from = keys;
  app.dragged = false;
  if (event.pointerType !== "mouse") peek(card, event, 550);
}
addEventListener("pointerup", (event) => {
  clearTimeout(timer);
  const start = from, over = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]")?.dataset.place;
  from = null;
  if (!start || !over || start[0] === `place ${over}`) return;
  const found = narrowed(narrowed(left(), [start]), [keysOf(over)]);
  if (found.length !== 1) return;
  app.dragged = true;
  setTimeout(() => { app.dragged = false; });
  choose(found[0]);
});

// ---- keys ----

const ARROWS = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]};

addEventListener("keydown", (event) => {
  const inField = event.target.closest?.("input, select, dialog, textarea");
  if (event.key === "Escape" && !app.dialog) { Object.assign(app, {picked: [], typed: "", said: ""}); update(); }
  if (app.lobby || inField || event.ctrlKey || event.metaKey || event.altKey || !app.now || app.curtain) return;
  if (ARROWS[event.key]) return move(event, ...ARROWS[event.key]);
  const focused = document.activeElement?.closest(".space");
  if (event.key === "+" && focused) return enlarge(focused.dataset.card ?? topCard(focused.dataset.place), event);
  if (/^[\p{L}\d]$/u.test(event.key)) number(event);
});

/** A digit chooses as soon as it can mean one choice only; letters begin an answer in words. */
function number(event) {
  const field = document.getElementById("answer");
  if (!field) return;
  event.preventDefault();
  const text = app.typed + event.key, count = left().length;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= count && Number(text) * 10 > count) return type(text);
  app.typed = text;
  update();
  field.focus();
  field.setSelectionRange(text.length, text.length);
}

/** Moves to the nearest space in a direction; of the lines of a grid only those that can be chosen count. */
function move(event, dx, dy) {
  const spaces = [...document.querySelectorAll(".space:not(:is(.post, .across, .down):not(.open))")], now = document.activeElement?.closest(".space");
  if (!spaces.length || event.target.closest?.(".choices, details")) return;
  event.preventDefault();
  if (!now) return (document.querySelector(".space.open") ?? spaces[0]).focus();
  const middle = (one) => { const box = one.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
  const [x, y] = middle(now);
  let best = null, least = Infinity;
  for (const one of spaces) {
    const [ox, oy] = middle(one), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const far = along + 3 * aside;
    if (one !== now && along > 4 && far < least) [best, least] = [one, far];
  }
  best?.focus();
}

// ---- what is drawn ----

let isDue = false;
/** Draws the page soon: removing a focused element calls back here in the middle of drawing. */
function update() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => { isDue = false; redraw(); });
}

function redraw() {
  if (app.dead === "no_socket") render(asText(), root);
  else if (app.dead) render(note(word("This link opens no table.")), root);
  else if (app.lobby) render(app.lobby.draw(app.isOnline), root);
  else if (app.now) {
    render(page(), root);
    Object.assign(document.body.dataset, {at: app.now.at, turn: app.now.view.turn ?? "", over: app.now.view.outcome ? "yes" : ""});
  }
  const dialog = document.getElementById("dialog");
  if (dialog && app.dialog && !dialog.open) dialog.showModal();
  if (dialog && !app.dialog && dialog.open) dialog.close();
}

/** Whose eyes a shared game is seen with. */
const eyes = () => html`<label>${word("Seen by")} <select @change=${(event) => { slide(app.now.steps); say({is: "eyes", seat: event.target.value}); }}>
  ${app.source?.eyes.map((seat) => html`<option value=${seat}>${seat ? app.seatName(seat) : word("everybody")}</option>`)}</select></label>`;

/** Without a socket there are no words of the page yet. */
const asText = () => html`<div class="note"><p>WebSockets are not allowed here. The table can be shown as text.</p>
  <form method="post" action="text"><input type="hidden" name="key" value=${location.hash.slice(1)}><button class="primary">Show the table</button></form></div>`;

const note = (text) => html`<div class="note"><p>${text}</p></div>`;

function page() {
  const {now} = app, shown = app.past ?? now, view = shown.view, viewers = view.viewers ?? [];
  app.curtain = !app.past && now.table?.yours.length > 1 && app.equipment.has_secrets && viewers[0] !== app.seat && !view.outcome;
  if (app.curtain) return curtain(viewers[0]);
  const choices = left(), pointed = app.pointed;
  const board = draw(view, {
    viewers: now.table?.yours ?? viewers, outcome: view.outcome,
    open: new Set(choices.flatMap(actsOn)), hot: new Set(pointed ? actsOn(pointed) : []),
    leads: new Set(pointed ? leadsTo(pointed) : []), fresh: freshIn(view.news), picked: new Set(app.picked.flat()),
    press, pressThing, status: (seat) => status(seat),
    hover: (id, event) => peek(id && topCard(id), event, 450), hoverCard: (id, event) => peek(id, event, 450),
    hold: (id, event) => hold(keysOf(id), event, topCard(id)), holdCard: (id, event) => hold([`card ${id}`], event, id),
    enlarge: (id, event) => topCard(id) && enlarge(topCard(id), event), enlargeCard: (id, event) => enlarge(id, event),
  });
  return html`
    <header class="bar"><h1>${app.equipment.title}</h1>
      ${app.isOnline ? nothing : html`<span class="offline" role="status">${word("The connection is lost; it is tried again.")}</span>`}
      <nav>
        ${now.table?.can_undo ? html`<button type="button" @click=${undo}>${word("Undo")}</button>` : nothing}
        ${now.table?.has_scores || standing() ? html`<button type="button" @click=${score}>${word("Score")}</button>` : nothing}
        ${now.table ? html`<button type="button" @click=${rules}>${word("How to play")}</button>` : eyes()}
        ${now.table ? html`<button type="button" @click=${seats}>${word("Seats")}</button>` : nothing}
      </nav></header>
    <p class="asked-now" aria-hidden="true">${whose(view)}</p>
    <div class="table ${app.waiting ? "waiting" : ""} ${app.past ? "past" : ""} ${board.isBoard ? "wide" : ""}">
      ${board.middle}${board.isBoard ? nothing : board.players}
      <aside>${board.isBoard ? board.players : nothing}${question(view, choices)}${past(shown)}
        <section class="news" aria-label=${word("Since your last turn")}><h2>${word("Since your last turn")}</h2>${news(view.news, app)}</section></aside>
    </div>
    ${app.peek ? html`<div class="peek" aria-hidden="true" .style=${place(app.peek)}>${large(app.peek.id)}</div>` : nothing}
    <dialog id="dialog" @close=${() => { app.dialog = null; update(); }} @click=${(event) => event.target.id === "dialog" && event.target.close()}>${dialog()}</dialog>`;
}

const place = ({x, y}) => `left:${x > innerWidth / 2 ? x - 300 : x + 24}px;top:${Math.max(8, Math.min(y - 90, innerHeight - 300))}px`;

function status(seat) {
  const {now} = app, kind = now.table?.players[seat];
  if (!kind) return "";
  if (kind !== "human") return now.view.turn === seat && !app.past ? word("thinks") : app.welcome.kinds[kind] ?? kind;
  return now.table.present.includes(seat) || now.table.yours.includes(seat) ? "" : word("away");
}

/** Who is asked, and what; or that chance is. */
const whose = (view) => app.equipment.players.some((one) => one.id === view.turn)
  ? labelled(app.seatName(view.turn), view.question?.text ?? "") : view.turn ? word("chance is drawn now") : "";

function question(view, choices) {
  const {outcome} = view;
  if (outcome) return html`<section class="question over" aria-label=${word("Question")} aria-live="polite">
    <h2>${word("The game is over")}</h2><p class="result">${outcome.text}</p>${scoreTable()}
    ${app.now.table && !app.past ? html`<button type="button" class="primary" @click=${() => say({is: "again"})}>${word("Play again")}</button>` : nothing}</section>`;
  const {fill: colour, edge} = seatColour(view.turn), mine = (view.viewers ?? []).includes(view.turn) && offers().length;
  const beside = choices.flatMap((one) => one.acts_on ?? []).filter((ref) => ref.sort === "card" && ref.id && isLoose(view, ref.id)).slice(0, 20);
  return html`<section class="question ${mine ? "mine" : ""}" aria-label=${word("Question")} .style=${`--fill:${colour};--edge:${edge}`}>
    <h2 aria-live="polite"><i class="dot seat"></i><span>${rich(whose(view))}</span></h2>
    ${app.now.table?.halted ? html`<p class="said" role="alert">${app.now.table.halted}</p>` : nothing}
    ${app.now.table?.unsaved ? html`<p class="said" role="alert">${word("The last choices are not saved: {reason}", {reason: app.now.table.unsaved})}</p>` : nothing}
    ${request()}
    ${beside.length ? html`<div class="beside">${beside.map((ref) => loose({id: ref.id}))}</div>` : nothing}
    ${app.picked.length ? html`<button type="button" class="link" @click=${() => { app.picked = []; update(); }}>← ${word("All choices")}</button>` : nothing}
    ${mine ? list(choices, app) : nothing}
    ${mine ? html`<form @submit=${(event) => { event.preventDefault(); type(app.typed); }}>
      <input id="answer" autocomplete="off" spellcheck="false" maxlength="400" aria-label=${word("Type a choice, or: why ...")} placeholder=${word("Type a choice, or: why ...")}
        .value=${app.typed} @input=${(event) => { app.typed = event.target.value; update(); }}></form>` : nothing}
    ${!mine && !view.viewers?.length ? html`<p class="soft">${word("You are watching.")}</p>` : nothing}
    ${app.said ? html`<p class="said" role="status">${rich(app.said)}</p>` : nothing}</section>`;
}

/** Whether a card lies where no part of the table shows it. */
function isLoose(view, id) {
  const where = Object.entries(view.places).find(([, one]) => one.cards?.some((card) => card.id === id))?.[0];
  return where && app.equipment.places[where].is_zone && app.equipment.places[where].is_left_out;
}

function request() {
  const wish = app.now.table?.request, [seat] = app.now.view.viewers ?? [];
  if (!wish) return nothing;
  return html`<div class="request" role="alert"><p>${word("{seat} wishes to take a choice back.", {seat: app.seatName(wish.seat)})}</p>
    ${seat && !wish.agreed.includes(seat) ? html`<button type="button" class="primary" @click=${() => say({is: "agree", yes: true})}>${word("Agree")}</button>
      <button type="button" @click=${() => say({is: "agree", yes: false})}>${word("Refuse")}</button>` : nothing}</div>`;
}

function past(shown) {
  const {now} = app, step = app.past ? shown.number : now.steps;
  if (!now.steps) return nothing;
  return html`<section class="history" aria-label=${word("Through the game")}>
    <button type="button" aria-label=${word("One step back")} ?disabled=${step <= 0} @click=${() => slide(step - 1)}>‹</button>
    <input type="range" min="0" max=${now.steps} .value=${String(step)} aria-label=${word("Through the game")}
      aria-valuetext=${word("Step {step} of {of}", {step, of: now.steps})} @input=${(event) => slide(Number(event.target.value))}>
    <button type="button" aria-label=${word("One step on")} ?disabled=${step >= now.steps} @click=${() => slide(step + 1)}>›</button>
    ${app.past ? html`<button type="button" class="primary" @click=${() => slide(now.steps)}>${word("Now")}</button>` : nothing}
    <output>${step}/${now.steps}</output></section>`;
}

function scoreTable(scores = standing()) {
  const {equipment} = app;
  if (!scores) return nothing;
  return html`<div class="scroll"><table><thead><tr><td></td>${equipment.players.map((one) => html`<th scope="col">${one.name}</th>`)}</tr></thead>
    <tbody>${scores.parts.map(([name, numbers]) => html`<tr><th scope="row">${name}</th>${numbers.map((one) => html`<td>${one}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${word("in all")}</th>${scores.totals.map((one) => html`<td>${one}</td>`)}</tr></tfoot></table></div>`;
}

function dialog() {
  const {dialog: open} = app;
  const close = html`<button type="button" class="close" aria-label=${word("Close")} @click=${(event) => event.target.closest("dialog").close()}>×</button>`;
  switch (open?.kind) {
    case "card": return html`${close}${large(open.id)}`;
    case "score": return html`${close}<h2>${word("Score")}</h2>${scoreTable(open.scores)}`;
    case "rules": return html`${close}<h2>${word("How to play")}</h2>${app.equipment.language === open.language ? nothing : html`<p class="soft">${word("The rules are written in English:")}</p>`}<pre class="rules" lang=${open.language} tabindex="0">${open.text.join("\n")}</pre>`;
    case "why": return html`${close}<h2>${word("Why not?")}</h2>${open.reasons.map((one) => html`<div class="reason"><b>${rich(one.answer)}</b>
      <ul>${one.reasons.map((why) => html`<li>${rich(why.text)}${why.lifted?.length ? html`<br><span class="soft">${why.lifted.map(rich)}</span>` : nothing}</li>`)}</ul></div>`)}`;
    case "seats": return html`${close}<h2>${word("Seats")}</h2><ul class="seats">${app.equipment.players.map((one) => html`<li>
      <label><i class="dot" .style=${`background:${seatColour(one.id).fill}`}></i> ${one.name}
      <select @change=${(event) => say({is: "seat", seat: one.id, player: event.target.value})}>${Object.entries(app.welcome.kinds).map(([kind, name]) => html`
        <option value=${kind} ?selected=${app.now.table.players[one.id] === kind}>${name}</option>`)}</select></label></li>`)}</ul>
      <p><label>${word("Language")} <select @change=${(event) => setLanguage(event.target.value)}>
        ${Object.entries(app.welcome.languages).map(([code, name]) => html`<option value=${code} ?selected=${code === language()}>${name}</option>`)}</select></label></p>`;
    default: return nothing;
  }
}

function curtain(seat) {
  return html`<div class="note curtain"><h1>${word("{seat} is next. The others look away.", {seat: app.seatName(seat)})}</h1>
    <button type="button" class="primary" @click=${() => { app.seat = seat; update(); }}>${word("I am {seat}", {seat: app.seatName(seat)})}</button></div>`;
}

// ---- where views come from ----

function begin() {
  const online = (is) => { app.isOnline = is; if (!is) app.waiting = false; update(); };
  app.source = globalThis.sharedGame ? file(sharedGame, hear, online) : socket(location.hash.slice(1), hear, online);
}
addEventListener("hashchange", () => location.reload());
document.fonts.addEventListener("loadingdone", () => { refit(); update(); });
begin();
