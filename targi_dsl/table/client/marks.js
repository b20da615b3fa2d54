// Marks: tokens of resources and values, pieces, and texts with marks in them. The marks are drawn
// by the server once and stand in a hidden sprite.
import {html, nothing} from "./lit-html.js";

let equipment = null, forms = null, named = new Map(), colours = {}, owners = {};

/** Takes over the equipment of a game and the marks that are drawn for it. */
export function useEquipment(welcome) {
  equipment = welcome.equipment;
  colours = welcome.colours;
  owners = Object.fromEntries(equipment.players.map((one) => [one.id, one.look.colour]));
  const sprite = document.getElementById("sprite");
  sprite.innerHTML = Object.entries(welcome.marks)
    .map(([id, body]) => `<symbol id="m-${cssId(id)}" viewBox="0 0 24 24">${body}</symbol>`).join("");
  marked = new Set(Object.keys(welcome.marks));
  named = new Map();
  plural = new Intl.PluralRules(equipment.language);
  for (const one of [...equipment.resources, ...equipment.values]) named.set(one.id, one);
  const words = new Map();
  for (const one of equipment.resources)
    for (const form of one.forms) words.set(form, one.id);
  const listed = [...words.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  forms = listed ? {pattern: new RegExp(`([+-]?\\d+) ?(${listed})(?![\\p{L}\\d])`, "gu"), words} : null;
}

let marked = new Set(), plural = new Intl.PluralRules("en");
const FORMS = {one: 0, many: 2};
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const cssId = (id) => id.replace(/[^\w-]/g, (c) => `_${c.codePointAt(0)}_`);

/** Whether a thing has a mark of its own. */
export const hasMark = (id) => marked.has(id);

/** The mark with this id: "gold" of a resource or value, "piece targi blue" of a piece. */
export const mark = (id, extra = "") =>
  html`<svg class="mark ${extra}" aria-hidden="true"><use href="#m-${cssId(id)}"></use></svg>`;

/** The fill, edge and ink of a colour of the language. */
export const paint = (colour) => colours[colour] ?? colours.grey;

/** The ground for small text in the ink of a colour: light ink needs a darker one. */
export const ground = ({fill, ink}) => ink === "#ffffff" ? `color-mix(in srgb, ${fill} 80%, #000)` : fill;

/** The colour of a player. */
export const seatColour = (seat) => paint(owners[seat] ?? "grey");

/** The colour of a piece: that of its kind, or of its player. */
export function pieceColour({kind, owner}) {
  const own = equipment.piece_kinds.find((one) => one.id === kind).look?.colour;
  return own ? paint(own) : seatColour(owner);
}

/** A piece of a kind and an owner. */
export const piece = (kind, owner, extra = "") => mark(`piece ${kind} ${owner ?? ""}`.trim(), `piece ${extra}`);

/** The word for so many of an item. */
export function wordFor(item, number) {
  const one = named.get(item);
  return one?.forms?.[FORMS[plural.select(number)] ?? 1] ?? one?.name ?? item;
}

/** An amount with its mark, or in words. */
export function amount(item, number, sign = "") {
  const word = wordFor(item, number);
  return hasMark(item)
    ? html`<span class="amount" title=${word}>${sign}${number}${mark(item)}<span class="sr"> ${word}</span></span>`
    : html`<span class="amount">${sign}${number} <span class="unit">${word}</span></span>`;
}

/** A price or effect with its amounts as data. A comma between two amounts is a gap. */
export const parts = (text) => text.map((one, at) => {
  if (typeof one !== "string") return amount(one.item, one.number);
  if (one === ", " && at) return " ";
  return one === " / " ? html` <span class="or">/</span> ` : one;
});

/** A text in pieces: strings, and amounts of resources that have a mark. */
export function pieces(text) {
  if (!forms || !text) return [text ?? ""];
  const found = [];
  let at = 0;
  for (const match of text.matchAll(forms.pattern)) {
    const item = forms.words.get(match[2]);
    if (!hasMark(item)) continue;
    const sign = match[1][0] === "+" ? "+" : "";
    found.push(text.slice(at, match.index), {item, number: Number(match[1]), sign});
    at = match.index + match[0].length;
  }
  return [...found, text.slice(at)];
}

/** A text, with marks in place of the words for resources that have one. */
export const rich = (text) => pieces(text).map((one) => typeof one === "string" ? one : amount(one.item, one.number, one.sign));

/** Whether a text is the name of a value of a list. */
export const isValue = (text) => equipment.values.some((one) => one.name === text);

/** A resource or value. */
export const thing = (id) => named.get(id);
export {nothing};
