// The start page: tables under way, and the games that can be begun.
import {html, svg, nothing} from "./lit-html.js";
import {language, setLanguage, word} from "./source.js";

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The start page. page: how it says something to the server, and is drawn again. */
export function lobby({kinds, languages, titles}, page) {
  let tables = [], sought = "", form = null, said = "", waiting = false;

  function hear(message) {
    waiting = false;
    if (message.is === "tables") tables = message.tables;
    if (message.is === "form") [form, said] = [message.form, ""];
    if (message.is === "refused") said = message.text;
  }

  function ask(message) {
    waiting = true;
    page.say(message);
    page.update();
  }

  const choose = (name) => ask({is: "form", game: name, options: {}});
  const values = (name) => Object.fromEntries([...document.querySelectorAll(`#begin [data-${name}]`)].map((one) => [one.dataset[name], one.value]));
  const begin = (event) => { event.preventDefault(); ask({is: "begin", game: form.name, seats: values("seat"), options: values("option")}); };
  const changed = () => ask({is: "form", game: form.name, options: values("option")});
  const back = () => { [form, said] = [null, ""]; page.update(); };

  const draw = (isOnline) => html`
    <header class="bar"><h1>${word("Games and tables")}</h1>
      ${isOnline ? nothing : html`<span class="offline" role="status">${word("The connection is lost; it is tried again.")}</span>`}
      <nav><label class="pill">${word("Language")} <select @change=${(event) => setLanguage(event.target.value)}>
        ${Object.entries(languages).map(([code, name]) => html`<option value=${code} ?selected=${code === language()}>${name}</option>`)}</select></label></nav></header>
    <div class="lobby">${form ? begun() : html`
      ${said ? html`<p class="said" role="alert">${said}</p>` : nothing}
      ${tables.length ? html`<section aria-label=${word("Tables under way")}><h2>${word("Tables under way")}</h2><ul class="games">${tables.map(table)}</ul></section>` : nothing}
      <section aria-label=${word("All games")}><h2>${word("All games")}</h2>
        <input class="find" type="search" aria-label=${word("Find a game")} placeholder=${word("Find a game")} .value=${sought} @input=${(event) => { sought = event.target.value; page.update(); }}>
        <ul class="games ${waiting ? "waiting" : ""}">${titles.map((one) => html`
          <li ?hidden=${!fold(`${one.title} ${one.name}`).includes(fold(sought))}><button type="button" class="game" data-game=${one.name} @click=${() => choose(one.name)}>${thumbnail(one.name)}<b>${one.title}</b></button></li>`)}</ul></section>`}</div>`;

  const thumbnail = (name) => html`<img src=${`game/${name}.svg`} alt="" loading="lazy" width="200" height="140">`;

  const table = (one) => html`<li class="game" data-table=${one.name}>${titles.some((title) => title.name === one.name) ? thumbnail(one.name) : nothing}
    <b>${one.title}</b><span class="soft">${one.over ? word("The game is over") : word("after {steps} choices", one)}</span>
    <ul>${one.seats.map((seat) => html`<li class=${seat.asked ? "asked" : ""}>${seat.name}: ${kinds[seat.player] ?? seat.player}
      ${seat.present && seat.player === "human" ? html`<small>(${word("at the table")})</small>` : nothing}</li>`)}</ul>
    ${one.links.map((link) => html`<a class="pill" href=${link.address}>${one.links.length > 1 ? link.seats.join(", ") || word("to watch") : word("Open")}</a>
      ${link.code ? html`<details><summary>QR</summary>${drawn(link)}</details>` : nothing}`)}</li>`;

  const drawn = ({address, code}) => html`<svg class="qr" role="img" aria-label=${address} viewBox=${`0 0 ${code.side} ${code.side}`}>${svg`<path d=${code.path}></path>`}</svg>`;

  const begun = () => html`<section class="beginning" aria-label=${form.title}>
    <h2>${form.title}</h2>${thumbnail(form.name)}<p>${form.about}</p>
    ${said ? html`<p class="said" role="alert">${said}</p>` : nothing}
    <form id="begin" @submit=${begin}>
      <h3>${word("Seats")}</h3>${Object.entries(form.usual).map(([seat, kind]) => html`<label>${form.seats[seat]}
        <select data-seat=${seat}>${Object.entries(kinds).map(([value, name]) => html`<option value=${value} ?selected=${value === kind}>${name}</option>`)}</select></label>`)}
      ${form.options.length ? html`<h3>${word("Options")}</h3>${language() === form.language ? nothing : html`<p class="soft">${word("The rules are written in English:")}</p>`}` : nothing}${form.options.map((one) => html`<label><span>${one.name === "players" ? word("Players") : one.words}<small class="soft">${one.about}</small></span>
        <select data-option=${one.name} @change=${one.name === "players" ? changed : nothing}>${Object.entries(one.values).map(([value, name]) => html`<option value=${value} ?selected=${value === one.usual}>${name}</option>`)}</select></label>`)}
      <p><button type="submit" class="primary" ?disabled=${waiting}>${word("Begin")}</button> <button type="button" class="pill" @click=${back}>${word("All games")}</button></p>
    </form></section>`;

  return {hear, draw};
}
