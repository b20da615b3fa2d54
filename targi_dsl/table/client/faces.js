// Cards: faces, large and small, backs, and cards in rows and piles.
import {html, nothing} from "./lit-html.js";
import {amount, ground, hasMark, mark, paint, parts, rich, valueNamed} from "./marks.js";

let cards = {}, kinds = new Map(), faces = new Map();

/** Takes over the cards of a game. */
export function useCards(equipment) {
  cards = equipment.cards;
  kinds = new Map(equipment.card_kinds.map((kind) => [kind.id, kind]));
  faces = new Map();
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
  const found = {card, values: [], numbers: [], prices: [], effects: [], words: []};
  for (const one of fields) {
    const values = one.text.split("+").map(valueNamed);
    if (values.every(Boolean)) found.values.push(...values);
    else if (/^-?\d+$/.test(one.text)) found.numbers.push(one);
    else if (one.parts?.length) found[one.is_price ? "prices" : "effects"].push(one);
    else found.words.push(one);
  }
  const plain = found.words.map((one) => one.text).join(" ");
  found.text = found.words.length && card.text ? card.text : plain;
  found.isSmall = !found.text && !found.prices.length && !found.effects.length
    && found.numbers.length + found.values.length > 0 && found.numbers.length + found.values.length <= 2;
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
  const colours = `--band:${ground(shown.paint)};--fill:${fill};--ink:${ink};--edge:${edge}`;
  const down = one.down ? "down" : "";
  if (shown.isSmall) return small(shown, colours, extra, `${down} ${more}`);
  const isIcons = !shown.text && shown.effects.length + shown.prices.length === 1;
  const amounts = [...shown.prices, ...shown.effects].flatMap((one) => one.parts.filter((part) => part.item)).length;
  return html`<div class="card wide ${down} ${more}" .style=${colours} aria-hidden="true">
    <div class="band"><span class="name"><span class="full">${shown.card.name}</span><span class="brief">${shown.card.short}</span></span>${shown.values.map((value) => mark(value.id, "sign"))}</div>
    <div class="body ${isIcons ? "icons" : ""} ${isIcons && amounts > 2 ? "many" : ""}">
      ${[...shown.prices, ...shown.effects].map((field) => html`<div class="price">${parts(field.parts)}</div>`)}
      ${shown.text ? html`<div class="text">${rich(shown.text)}</div>` : nothing}
    </div>
    <div class="corner">${(one.amounts ?? []).map((held) => amount(held.item, held.number))}${shown.numbers.map(number)}</div>
    ${extra}</div>`;
}

function small(shown, colours, extra, more) {
  const [value] = shown.values, label = shown.numbers.map((one) => one.text).join(" ");
  const isShort = (shown.card.short ?? "").length <= 3;
  return html`<div class="card small ${more}" .style=${colours} aria-hidden="true">
    <span class="rank">${label || shown.card.name}${value ? mark(value.id) : nothing}</span>
    <span class="pip">${value ? mark(value.id) : label}</span>
    <span class="rank turned">${label || (isShort ? shown.card.short : "")}${value ? mark(value.id) : nothing}</span>
    ${extra}</div>`;
}

/** The back of a card, with what players have been told about it. */
export function back(one, more = "") {
  const look = kinds.get(one.back)?.look ?? {}, {fill, ink, edge} = paint(look.colour ?? "grey");
  return html`<div class="card back ${more}" .style=${`--fill:${fill};--ink:${ink};--edge:${edge}`} aria-hidden="true">
    <span class="ornament">${look.symbol || "◆"}</span>${one.said ? html`<span class="said">${one.said}</span>` : nothing}</div>`;
}

/** A card in words. */
export function cardWords(one, words) {
  if (!one.id) return `${kinds.get(one.back)?.name ?? ""} (${words.face_down}${one.said ? `, ${one.said}` : ""})`;
  const held = (one.amounts ?? []).map((some) => `${some.number} ${some.item}`).join(", ");
  return [cards[one.id].name, held].filter(Boolean).join(", ");
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
