// The question and its choices: as a list, by words and keys, and by what lies on the table.
import {html, nothing} from "./lit-html.js";
import {rich, seatColour} from "./marks.js";
import {word} from "./source.js";

const MOST = 60;  // choices that are listed at first
const key = (ref) => `${ref.sort} ${ref.id}`;
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text) => fold(text).split(/[^\p{L}\d]+/u).filter(Boolean);

/** Everything that a choice acts on. */
export const actsOn = (offer) => (offer.acts_on ?? []).map(key);
/** Everything that a choice leads to. */
export const leadsTo = (offer) => (offer.leads ?? []).flatMap((lead) => (lead.about ?? []).map(key));
export const whole = (offer) => [offer.label, offer.thing].filter(Boolean).join(" ");

/** The choices left once these things have been picked. */
export const narrowed = (offers, picked) => offers.filter((offer) => {
  const on = actsOn(offer);
  return picked.every((keys) => keys.some((one) => on.includes(one)));
});

/** The choices that typed words mean: by number, by name, or by the beginnings of their words. */
export function meant(text, offers) {
  const said = fold(text.trim());
  if (/^\d+$/.test(said)) {
    const named = offers.filter((one) => [one.label, one.name, one.thing].some((name) => fold(name ?? "") === said));
    return named.length ? named : offers.slice(Number(said) - 1, Number(said) || 0);
  }
  const exact = offers.filter((one) => [one.id, one.also, one.name, one.short, one.thing, one.label, whole(one)].some((name) => name && fold(name) === said));
  if (exact.length || !said) return exact;
  const words = wordsOf(said);
  return offers.filter((one) => {
    const known = wordsOf(`${one.label} ${one.name ?? ""} ${one.short ?? ""}`);
    return words.every((word) => known.some((other) => /^\d+$/.test(word) ? other === word : other.startsWith(word)));
  });
}

/** The choices as a list: those of one action under its name, free exchanges folded. */
export function list(all, app) {
  const offers = app.isLong ? all : all.slice(0, MOST), more = all.length - offers.length;
  const plain = offers.filter((one) => !one.is_exchange), exchanges = offers.filter((one) => one.is_exchange);
  const groups = [];
  for (const one of plain) {
    const last = groups.at(-1);
    if (last && last[0].label === one.label && last[0].group === one.group && one.thing) last.push(one);
    else groups.push([one]);
  }
  const numbers = new Map([...plain, ...exchanges].map((one, at) => [one, at + 1]));
  const item = (one, text) => html`<li><button type="button" class="choice ${one.declines ? "declines" : ""}" data-choice=${one.id}
      @click=${() => app.choose(one)} @pointerenter=${() => app.point(one)} @pointerleave=${() => app.point(null)}
      @focus=${() => app.point(one)} @blur=${() => app.point(null)}>
      <kbd>${numbers.get(one)}</kbd><span>${rich(text)}${(one.leads ?? []).map((lead) => html` <em>→ ${rich(lead.words[0])}</em>`)}</span></button></li>`;
  const short = (one) => one.group && one.thing.startsWith(`${one.group} `) ? one.thing.slice(one.group.length + 1) : one.thing;
  const title = ({label, group}) => !group || label.includes(group) ? label : `${label} (${group})`;
  return html`${groups.map((group) => group.length > 1
      ? html`<h3>${rich(title(group[0]))}</h3><ul class="choices ${group.every((one) => short(one).length < 22) ? "two" : ""}">${group.map((one) => item(one, short(one)))}</ul>`
      : html`<ul class="choices">${item(group[0], whole(group[0]))}</ul>`)}
    ${exchanges.length ? html`<details ?open=${!plain.length || app.isTyping}><summary>${word("Exchange")} (${exchanges.length})</summary>
      <ul class="choices">${exchanges.map((one) => item(one, whole(one)))}</ul></details>` : nothing}
    ${more ? html`<button type="button" class="link" @click=${() => { app.isLong = true; app.update(); }}>+ ${more}</button>` : nothing}`;
}

/** What happened since the viewer's last turn. */
export function news(told, app) {
  if (!told?.length) return html`<p class="soft">${word("Nothing has happened yet.")}</p>`;
  return html`<ol>${told.map((one) => html`<li .style=${`--fill:${seatColour(one.seat).fill};--edge:${seatColour(one.seat).edge}`}>
    <i class="dot"></i><div>${one.choice ? html`<b>${app.heading(one.seat)}</b> ${rich(one.choice)}` : nothing}
    ${(one.events ?? []).length ? html`<span class="soft">${one.events.map((event, at) => html`${at ? "; " : " "}${rich(event.text)}`)}</span>` : nothing}</div></li>`)}</ol>`;
}

/** The things that news are about. */
export const freshIn = (told) => new Set((told ?? []).flatMap((one) =>
  [...(one.acts_on ?? []), ...(one.events ?? []).flatMap((event) => event.about ?? [])].map(key)));
