"""Rules for Pygments. Made from grammar.lark by `python -m editors.make`."""

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String
from pygments.token import Whitespace

DECLARING = ('about', 'card', 'change', 'define', 'exchange', 'extend', 'game', 'language', 'layout', 'look', 'lowest', 'module', 'never', 'option', 'piece', 'players', 'pool', 'relation', 'remove', 'replace', 'resource', 'rule', 'score', 'set', 'space', 'standing', 'tie', 'values', 'variable', 'zone')
SAYING = ('a', 'abilities', 'action', 'active', 'after', 'all', 'also', 'always', 'amber', 'an', 'and', 'any', 'anyone', 'are', 'as', 'at', 'based', 'be', 'because', 'becomes', 'before', 'black', 'blocks', 'blue', 'both', 'bottom', 'brown', 'by', 'can', 'cards', 'case', 'choose', 'chooses', 'closed', 'colour', 'come', 'corners', 'costs', 'count', 'cross', 'deal', 'deck', 'diagonals', 'diamond', 'different', 'disc', 'do', 'does', 'down', 'draw', 'drop', 'during', 'each', 'earlier', 'edges', 'end', 'even', 'every', 'everybody', 'except', 'face', 'fill', 'first', 'for', 'forbid', 'from', 'gain', 'gains', 'green', 'grey', 'grid', 'has', 'have', 'hex', 'hexagon', 'highest', 'if', 'ignore', 'in', 'instead', 'is', 'keep', 'least', 'less', 'let', 'letter', 'like', 'lime', 'line', 'list', 'longest', 'looks', 'lose', 'loses', 'may', 'missing', 'more', 'most', 'move', 'must', 'named', 'needed', 'no', 'nobody', 'not', 'nothing', 'number', 'numbered', 'of', 'offering', 'offers', 'on', 'once', 'one', 'opponent', 'or', 'orange', 'order', 'other', 'others', 'otherwise', 'out', 'overlaid', 'owner', 'pass', 'pawn', 'pay', 'pays', 'per', 'pink', 'pit', 'place', 'player', 'plus', 'position', 'put', 'random', 'red', 'refilled', 'remainder', 'remember', 'repeat', 'rest', 'reveal', 'ring', 'roll', 'row', 'rules', 'sand', 'satisfies', 'secret', 'seen', 'settle', 'shape', 'shows', 'shuffle', 'source', 'spots', 'square', 'star', 'starts', 'stop', 'store', 'stored', 'sum', 'swap', 'symbol', 'table', 'take', 'takes', 'teal', 'tell', 'than', 'the', 'then', 'these', 'this', 'times', 'to', 'top', 'triangle', 'turn', 'turns', 'under', 'until', 'up', 'violet', 'ways', 'when', 'where', 'which', 'white', 'win', 'wins', 'with', 'within', 'without', 'x', 'yellow', 'yes', 'you', 'your')


class TargiLexer(RegexLexer):
    name, aliases, filenames = "Targi rules", ["targi"], ["*.targi"]
    tokens = {
        "root": [
            (r"#.*$", Comment.Single),
            (r'"[^"\n]*"?', String.Double),
            (words(DECLARING, prefix="^", suffix=r"\b"), Keyword.Declaration),
            (words(DECLARING + SAYING, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[0-9]+", Number.Integer),
            (r"[a-z]\w*", Name),
            (r"\s+", Whitespace),
            (r".", Punctuation),
        ]
    }
