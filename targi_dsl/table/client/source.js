// Where views come from: a socket of the server, or a file that holds a whole game. Each calls
// `hear` with messages and takes some by `say`.

const PAUSES = [200, 400, 800, 1600, 3000];  // milliseconds before it is tried again

function openSocket(key) {
  const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`), heard = [];
  ws.onopen = () => ws.send(JSON.stringify({is: "join", key, language: language()}));
  ws.onmessage = (event) => heard.push(event);
  return {ws, heard};
}

/** The first connection, opened while the other modules of the page are still on their way. */
let first = "sharedGame" in globalThis || !("WebSocket" in window) ? null : openSocket(location.hash.slice(1));

/** The table of a server. Reconnecting is the same as arriving. */
export function socket(key, hear, online) {
  let ws = null, tries = 0, timer = 0, closed = false;
  const connect = () => {
    clearTimeout(timer);
    if (!("WebSocket" in window)) return hear({is: "no_socket"});
    const {ws: mine, heard} = first ?? openSocket(key);
    ws = mine;
    first = null;
    ws.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.is === "closed") closed = true;
      if (message.is === "begin" || message.is === "lobby") { tries = 0; online(true); }
      hear(message);
    };
    ws.onclose = () => {
      if (closed) return;
      online(false);
      timer = setTimeout(connect, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
    };
    heard.forEach(ws.onmessage);
    if (ws.readyState === WebSocket.CLOSED) ws.onclose();
  };
  addEventListener("online", () => ws?.readyState > 1 && connect());
  document.addEventListener("visibilitychange", () => !document.hidden && ws?.readyState > 1 && !closed && connect());
  connect();
  return {
    say: (message) => ws?.readyState === 1 && ws.send(JSON.stringify(message)),
    restart: () => ws?.close(),
  };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A value that was changed in some members; null removes one. */
function merged(before, changes) {
  if (!isObject(before) || !isObject(changes)) return changes;
  const found = {...before};
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete found[name];
    else found[name] = merged(found[name], value);
  }
  return found;
}

/** A game in this very page, from the eyes of everybody or of one seat. */
export function file(game, hear, online) {
  let seat = "", publicly = {}, own = {};
  const steps = game.steps.map((step) => {
    publicly = merged(publicly, step[""]);
    own = {...own, ...step};
    return {"": publicly, own};
  });
  const view = (at) => seat ? merged(steps[at][""], steps[at].own[seat]) : steps[at][""], of = steps.length - 1;
  const show = (wanted) => {
    const number = Math.max(0, Math.min(wanted, of));
    hear({is: "earlier", number, of, view: view(number)});
  };
  const arrive = () => {
    hear({is: "now", at: of, steps: of, view: view(of), table: null});
  };
  online(true);
  hear(game.begin);
  arrive();
  return {
    scores: game.scores,
    eyes: Object.keys(game.steps[0]).sort(),
    say(message) {
      if (message.is === "look") show(message.step);
      if (message.is === "eyes") { seat = message.seat; arrive(); }
    },
    restart() {},
  };
}

let spoken = {};

/** Takes over the translations of what the page says. */
export function useWords(translations) { spoken = translations; }

/** What the page says, in the language of the reader, with its blanks filled in. */
export const word = (text, values = {}) => (spoken[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** Remembers the language of the reader, and begins the page anew in it. */
export function setLanguage(code) {
  localStorage.setItem("language", code);
  location.reload();
}

/** The language of the reader: as chosen on this page before, or that of the browser. */
export function language() {
  return localStorage.getItem("language") ?? navigator.language.slice(0, 2);
}
