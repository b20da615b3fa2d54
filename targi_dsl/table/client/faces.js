// Cards: faces, large and small, backs, and cards in rows and piles.
import {html, nothing} from "./lit-html.js";
import {amount, ground, hasMark, isValue, mark, paint, parts, pieces, rich, thing, wordFor} from "./marks.js";
import {word} from "./source.js";

let cards = {}, kinds = new Map(), faces = new Map();

/** Takes over the cards of a game. */
export function useCards(equipment) {
  cards = equipment.cards;
  kinds = new Map(equipment.card_kinds.map((kind) => [kind.id, kind]));
  faces = new Map();
}

/** Forgets how large texts were drawn, for when another font has come. */
export function refit() {
  faces = new Map();
  widths.clear();
}

/** Whether all cards of the game have little to read on them, as playing cards. */
export const areSmall = () => {
  const all = Object.keys(cards);
  return all.length > 0 && all.every((id) => face(id).isSmall);
};

/** The contents of a card's face, as its look shows them: values, numbers, prices and a text. */
export function face(id) {
  if (faces.has(id)) return faces.get(id);
  const card = cards[id], shows = kinds.get(card.kind)?.look?.shows;
  const fields = (card.fields ?? []).filter((one) => one.text && (shows ? shows.includes(one.id) : one.id !== "number"));
  if (shows) fields.sort((a, b) => shows.indexOf(a.id) - shows.indexOf(b.id));
  const found = {card, values: [], labels: [], numbers: [], prices: [], effects: [], words: []};
  for (const one of fields) {
    if (one.values?.every(hasMark)) found.values.push(...one.values.map(thing));
    else if (/^-?\d+$/.test(one.text)) found.numbers.push(one);
    else if (one.parts?.length) found[one.is_price ? "prices" : "effects"].push(one);
    else found[isValue(one.text) ? "labels" : "words"].push(one);
  }
  const plain = [...found.labels, ...found.words].map((one) => one.text).join(" ");
  found.text = plain && card.text ? card.text : plain;
  const count = found.numbers.length + found.values.length + found.labels.length;
  found.isSmall = count > 0 && count <= 2 && !found.words.length && !found.prices.length && !found.effects.length
    && (found.values.length > 0 || found.numbers.every((one) => one.is_named))
    && (!found.labels.length || (found.values.length > 0 && !card.text));
  const own = found.values.find((one) => one.look?.colour)?.look.colour;
  found.paint = paint(own ?? kinds.get(card.kind)?.look?.colour ?? "grey");
  faces.set(id, found);
  return found;
}

const number = (one) => hasMark(one.id)
  ? html`<span class="amount">${one.text}${mark(one.id)}</span>`
  : html`<span class="amount"><small>${one.name}</small> ${one.text}</span>`;

/** A card face up or down. extra: what lies on it. It is for the eye; words stand in the button. */
export function card(one, extra = nothing, more = "") {
  if (!one.id) return back(one, more);
  const shown = face(one.id);
  const {fill, ink, edge} = shown.paint;
  const isIcons = !shown.text && shown.effects.length + shown.prices.length === 1;
  shown.fit ??= shown.isSmall ? "" : fit(shown, isIcons);
  const colours = `--band:${ground(shown.paint)};--fill:${fill};--ink:${ink};--edge:${edge}${shown.fit}`;
  const down = one.down ? "down" : "";
  if (shown.isSmall) return small(shown, colours, [hint(one), extra], `${down} ${more}`);
  return html`<div class="card wide ${down} ${more}" .style=${colours} aria-hidden="true">
    <div class="band"><span class="name"><span class="full">${shown.card.name}</span><span class="brief">${shown.card.short}</span></span>${shown.values.map((value) => mark(value.id, "sign"))}</div>
    <div class="body ${isIcons ? "icons" : ""}">
      ${[...shown.prices, ...shown.effects].map((field) => html`<div class="price">${parts(field.parts)}</div>`)}
      ${shown.text ? html`<div class="text">${rich(shown.text)}</div><i class="more"></i>` : nothing}
    </div>
    <div class="corner">${(one.amounts ?? []).map((held) => amount(held.item, held.number))}${shown.numbers.map(number)}</div>
    ${hint(one)}${extra}</div>`;
}

/** What players have been told about a card that not all of them see. */
const told = (one) => one.id && one.said ? word("told {clues}", {clues: one.said}) : one.said;
const hint = (one) => one.said ? html`<span class="told">${told(one)}</span>` : nothing;

/** How wide the label of a small face can be in em; one that is not as short stands there once, and
 * without the mark below it, which would lie on the pip. */
const RANK = 3.2, SHORT = 2.35, RANK_SIZE = 0.82;

function small(shown, colours, extra, more) {
  const [value] = shown.values, label = [...shown.numbers, ...shown.labels].map((one) => one.text).join(" ");
  const name = value && shown.card.name.includes(thing(value.id).name) ? "" : shown.card.name, isShort = (shown.card.short ?? "").length <= 3;
  const across = widthOf(label, 700), isLong = across * RANK_SIZE > SHORT, corner = value && !isLong ? mark(value.id) : nothing;
  return html`<div class="card small ${more}" .style=${colours} aria-hidden="true">
    <span class="rank" .style=${`font-size:${Math.min(RANK_SIZE, RANK / Math.max(across, 1))}em`}>${label || name}${corner}</span>
    <span class="pip">${value ? mark(value.id) : label}</span>
    <span class="rank turned">${isLong ? "" : label || (name && isShort ? shown.card.short : "")}${corner}</span>
    ${extra}</div>`;
}

// ---- texts as large as they fit ----

/** The faces of the style sheet, from the long to the short one, which is square on a phone, in em of
 * their type: width, height and margins at the sides. */
const SIZES = [[10.4, 7.95, 0.5], [8.55, 6.55, 0.35], [6.9, 5.3, 0.35], [6.9, 6.9, 0.35]];
const MARK = 1.4, SIGN = 1.5, LEADING = 1.25;
const pen = document.createElement("canvas").getContext("2d"), widths = new Map();

/** How wide a text is in em, in the font of the page or the one that stands in for it. */
function widthOf(text, weight) {
  const key = `${weight} ${text}`;
  if (!widths.has(key)) {
    pen.font = `${weight} 100px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(key, pen.measureText(text).width / 96);
  }
  return widths.get(key);
}

const amountWidth = ({item, number, sign = ""}) => hasMark(item)
  ? widthOf(`${sign}${number}`, 700) + MARK : widthOf(`${sign}${number} ${wordFor(item, number)}`, 700);

/** How many lines a text in pieces takes that is so many em wide. */
function linesOf(text, room, weight = 400) {
  const space = widthOf(" ", weight);
  let lines = 1, used = 0, word = 0;
  const close = () => {
    if (used && used + space + word > room) { lines += 1; used = 0; }
    used += word + (used ? space : 0);
    if (word > room) lines = Infinity;
    word = 0;
  };
  for (const one of text) {
    if (typeof one !== "string") { word += amountWidth(one); continue; }
    one.split(/\s/).forEach((part, at) => { if (at) close(); word += widthOf(part, weight); });
  }
  close();
  return lines;
}

/** The largest size in em in which a text stands in so much room; 0 if there is none. */
function largest(text, most, wide, high, lines = 99, weight = 400) {
  for (let size = most; size > 0.3; size *= 0.97) {
    const taken = linesOf(text, wide / size, weight);
    if (taken <= lines && taken * size * LEADING <= high) return size;
  }
  return 0;
}

/** A bold text in one line, or in two where one would be much smaller: its size, and how high it is. */
function inTwo(text, most, wide, high) {
  const flat = largest(text, most, wide, high, 1, 700);
  const size = flat > 0.8 * most ? flat : Math.max(flat, largest(text, most, wide, high, 2, 700));
  return {size, high: linesOf(text, wide / size, 700) * size * LEADING};
}

/** The sizes of the name, the prices and the text of a face: `--name0` those of the long face. The
 * text is smaller, `--under0`, where pieces stand on the card. */
function fit(shown, isIcons) {
  const prices = [...shown.prices, ...shown.effects].map((one) => one.parts), said = pieces(shown.text);
  return SIZES.map(([wide, high, side], at) => {
    const across = wide - 2 * side, foot = shown.numbers.length || at < 2 ? 1.35 : 0.3;
    const name = inTwo([at ? shown.card.short : shown.card.name], 1.06, across - SIGN * shown.values.length, 2.6);
    const left = high - Math.max(1.65, name.high + 0.36) - 0.5 - foot;
    const priced = prices.map((one) => inTwo(one, isIcons ? 1.75 : 1.16, across, left / prices.length - 0.2));
    const below = left - priced.reduce((sum, one) => sum + one.high + 0.2, 0);
    const text = largest(said, 0.9, across, below), under = largest(said, 0.9, across, below + foot - 0.3 * wide);
    const price = Math.min(2, ...priced.map((one) => one.size));
    return `;--name${at}:${name.size};--price${at}:${price};--text${at}:${text};--under${at}:${under};--foot${at}:${foot}`;
  }).join("");
}

/** The back of a card, with what players have been told about it. */
export function back(one, more = "") {
  const look = kinds.get(one.back)?.look ?? {}, {fill, ink, edge} = paint(look.colour ?? "grey");
  return html`<div class="card back ${more}" .style=${`--fill:${fill};--ink:${ink};--edge:${edge}`} aria-hidden="true">
    <span class="ornament">${look.symbol || "◆"}</span>${hint(one)}</div>`;
}

/** A card in words. */
export function cardWords(one) {
  if (!one.id) return `${kinds.get(one.back)?.name ?? ""} (${word("face down")}${one.said ? `, ${one.said}` : ""})`;
  const held = (one.amounts ?? []).map((some) => `${some.number} ${some.item}`).join(", ");
  return [cards[one.id].name, held, told(one), one.down && word("face down")].filter(Boolean).join(", ");
}

/** A card as large as it can be read, with all its fields in words. */
export function large(id) {
  const shown = face(id), {fill, ink, edge} = shown.paint, {card} = shown;
  return html`<article class="card wide large" .style=${`--band:${ground(shown.paint)};--fill:${fill};--ink:${ink};--edge:${edge}`}>
    <header class="band"><h2 class="name">${card.name}</h2>${shown.values.map((value) => mark(value.id, "sign"))}</header>
    <div class="body">
      ${[...shown.prices, ...shown.effects].map((one) => html`<div class="price">${parts(one.parts)}</div>`)}
      ${shown.text ? html`<p class="text">${rich(shown.text)}</p>` : nothing}
      <dl>${(card.fields ?? []).filter((one) => !shown.words.includes(one)).map((one) => html`<dt>${one.name}</dt><dd>${rich(one.text)}</dd>`)}</dl>
    </div></article>`;
}
