// Made from grammar.lark by `python -m editors.make`.
const declaring = new Set(["about", "card", "change", "define", "exchange", "extend", "game", "language", "layout", "look", "lowest", "module", "never", "option", "piece", "players", "pool", "relation", "remove", "replace", "resource", "rule", "score", "set", "space", "standing", "tie", "values", "variable", "zone"]);
const saying = new Set(["a", "abilities", "action", "active", "after", "all", "also", "always", "amber", "an", "and", "any", "anyone", "are", "as", "at", "based", "be", "because", "becomes", "before", "black", "blocks", "blue", "both", "bottom", "brown", "by", "can", "cards", "case", "choose", "chooses", "closed", "colour", "come", "corners", "costs", "count", "cross", "deal", "deck", "diagonals", "diamond", "different", "disc", "do", "does", "down", "draw", "drop", "during", "each", "earlier", "edges", "end", "even", "every", "everybody", "except", "face", "fill", "first", "for", "forbid", "from", "gain", "gains", "green", "grey", "grid", "has", "have", "hex", "hexagon", "highest", "if", "ignore", "in", "instead", "is", "keep", "least", "less", "let", "letter", "like", "lime", "line", "list", "longest", "looks", "lose", "loses", "may", "missing", "more", "most", "move", "must", "named", "needed", "no", "nobody", "not", "nothing", "number", "numbered", "of", "offering", "offers", "on", "once", "one", "opponent", "or", "orange", "order", "other", "others", "otherwise", "out", "overlaid", "owner", "pass", "pawn", "pay", "pays", "per", "pink", "pit", "place", "player", "plus", "position", "put", "random", "red", "refilled", "remainder", "remember", "repeat", "rest", "reveal", "ring", "roll", "row", "rules", "sand", "satisfies", "secret", "seen", "settle", "shape", "shows", "shuffle", "source", "spots", "square", "star", "starts", "stop", "store", "stored", "sum", "swap", "symbol", "table", "take", "takes", "teal", "tell", "than", "the", "then", "these", "this", "times", "to", "top", "triangle", "turn", "turns", "under", "until", "up", "violet", "ways", "when", "where", "which", "white", "win", "wins", "with", "within", "without", "x", "yellow", "yes", "you", "your"]);

export const targi = {
  name: "targi",
  token(stream) {
    if (stream.eatSpace()) return null;
    const begins = stream.sol();
    if (stream.match(/#.*/)) return "comment";
    if (stream.match(/"[^"]*"?/)) return "string";
    if (stream.match(/[0-9]+/)) return "number";
    const word = stream.match(/[A-Za-z]\w*/);
    if (!word) return stream.next(), null;
    if (begins && declaring.has(word[0])) return "definitionKeyword";
    return declaring.has(word[0]) || saying.has(word[0]) ? "keyword" : "variableName";
  },
  languageData: { commentTokens: { line: "#" } },
};
