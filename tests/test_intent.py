"""Mistakes with messages that were once misleading: each gets one message, which names the
intention and its correct form.
"""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import analyse, check, check_for_all_players
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem, render
from tests.small_game import CARDS, FILES, RULES, SHEET

MODULE, PLANS, GAME = "pond/pond.targi", "pond/pond_plans.yaml", "pond.targi"
BASED = "language 2\nmodule brook based on pond\n"
BROOK = {"brook.targi": 'language 2\ngame brook "Brook" based on pond\n  rules brook\n'}
ONE_OF = "rule tried\n  one of\n    {}\n    rest: nothing\n"


def the_fault(files: dict[str, str], game: str = "pond") -> Problem:
    _, found = check(game, of_texts({**FILES, **files}))
    errors = [one for one in found if one.severity == "error"]
    assert len(errors) == 1, render(errors)
    return errors[0]


def pond(rules: str) -> dict[str, str]:
    return {MODULE: RULES + rules}


def brook(rules: str) -> dict[str, str]:
    return {**BROOK, "brook/brook.targi": BASED + rules}


# What is written; the title; what the text or the hint says.
RULE_LINES = [
    ("  gains 1 fame", "unknown instruction `gains`", "gain 1 fame"),
    ("  choose a spot in shore", "`choose` is written differently here", "choose spot in shore"),
    ("  choose spot from shore", "`choose` is written differently here", "choose spot in shore"),
    ("  move heron onto shore 2", "`move` is written differently here", "move heron to shore 2"),
    ("  day to 2", "unknown instruction `day`", "set day to 2"),
    (
        "  forbid late: day is 3 because it is late",
        "`forbid` is written differently here",
        'forbid late: day is 3 because "it is late"',
    ),
    ("  // a remark", "unknown instruction `/`", "A comment begins with `#`."),
    ("  discard hand", "unknown instruction `discard`", "put CARD on ZONE"),
    (
        "  everybody secretly chooses stake in 0..2",
        "`everybody` is written differently here",
        "all choose VARIABLE in SET in secret",
    ),
    (
        "  all players choose secretly one card",
        "`all` is written differently here",
        "all choose VARIABLE in SET in secret",
    ),
    (
        "  the player with the most twigs loses 1 twigs",
        "unknown instruction `the`",
        "twigs of p is highest twigs of q for (q in players)): lose 1 twigs",
    ),
    ("  let n be 8 - players", "a single thing is needed, not a set", "count of players"),
    ("  gain 2 x day twigs", "`gain` is written differently here", "gain (2 * day) twigs"),
    ("  deal 5 cards", "`deal` is written differently here", "deal 2 from PILE to each ZONE"),
    ("  while day is 2", "unknown instruction `while`", "repeat until CONDITION"),
    ("  repeat 3", "`repeat` is written differently here", "repeat 3 times"),
    (
        "  repeat 3: gain 1 fame",
        "`repeat` is written differently here",
        "repeat 3 times: gain 1 fame",
    ),
    ("  carl wins", "unknown name `carl`", "The players are: anna, bert."),
    ("  do hop with 3", "`hop` takes no arguments", "takes nothing; 1 given. do hop"),
    ("  gain", "the line ends too early, after `gain`", "Expected a name, a number"),
    ("  take: gain 1 fame", "`take:` is not an instruction", "Choices belong under `one of`"),
    ("  if twig is plan: stop", "unknown name `twig`", ""),
    ("  each s in shore: place frog on on s", "`on` is one word too many", ": place frog on s"),
    (
        "  each s in shore: put cards s on plan_waste",
        "`on` is missing before `s`",
        "put cards on s on plan_waste",
    ),
    ("  gain fame", "amounts are needed here", "1 fame"),
    ("  if coutn of your hand is 2: stop", "unknown `coutn`", "Did you mean `count`?"),
    (
        "  if count of cards in your hand is 2: stop",
        "`cards` is written differently here",
        "Write: if count of cards on your hand is 2: stop",
    ),
    (
        "  if day is greater than or equal to 3: stop",
        "`is` is written differently here",
        "if day is at least 3: stop",
    ),
    (
        "  pay 1 fame or lose 2 twigs",
        "`pay` is written differently here",
        "pay 1 fame otherwise lose 2 twigs",
    ),
    (
        "  gain 1 fame and shuffle plan_pile",
        "`and` does not join steps",
        "on a line of its own: shuffle plan_pile",
    ),
    (
        "  if day is 2: gain 1 fame and shuffle plan_pile",
        "`and` does not join steps",
        "gain 1 fame then shuffle plan_pile",
    ),
    (
        "  if day is 2: gain 1 fame and draw a card",
        "`and` does not join steps",
        "Join steps by `then`: then draw a card",
    ),
    (
        "  if winner is anna: stop",
        "unknown name `winner`",
        "first (p in players where fame of p is highest fame of q for (q in players))",
    ),
    ("  roll x from 6 to 1", "nothing can be rolled", "The lowest number comes first."),
    ("\tgain 1 fame", "there is a tab here", "two for each level. Write:   gain 1 fame"),
    ("  let x be top of of of plan_pile", "unexpected `of`", "Expected a name"),
    ("  let x be random player", "the line ends too early, after `player`", "Expected `of`"),
    (
        "  gain (count of (c in your garden where sort of c is reed)) fame",
        "unknown `sort`",
        "(c in cards on your garden where ...)",
    ),
    ("  gain (sort of first shore) fame", "unknown `sort`", "sort of first cards on first shore"),
    (
        "  gain (count of cards on your garden where sort is reed) fame",
        "`count` is written differently here",
        "gain (count of (c in cards on your garden where sort of c is reed)) fame",
    ),
    (
        "  gain (count of r in 1..3 where r is 2) fame",
        "`count` is written differently here",
        "gain (count of (r in 1..3 where r is 2)) fame",
    ),
    ("  if day==2: stop", "unknown symbol `==`", "Write: if day is 2: stop"),
    ("  gain 1 fame, gain 1 twigs", "`,` does not join steps", "a line of its own: gain 1 twigs"),
    ("  gain 1 fame; gain 1 twigs", "`;` does not join steps", "a line of its own: gain 1 twigs"),
    ("  gain twigs and fame", "how many `twigs`?", "gain 1 twigs and 1 fame"),
    ("  draw plan", "`draw` is written differently here", "draw 2 from PILE to ZONE"),
    ("  find plan", "unknown instruction `find`", "A step begins with an instruction such as"),
    ("  do draw plan", "a name is one word", "Write: do draw_plan"),
    ("  draww plan", "unknown word `draww`", "Did you mean `draw`?"),
    ("  forbid: day is 3", "the prohibition has no name", "forbid not_allowed: day is 3"),
    ("  move heron shore 2", "`to` is missing before `shore`", "move heron to shore 2"),
    ("  at most 2 times\n    do hop", "unknown instruction `at`", "Write: up to 2 times"),
    ("  upto 2 times\n    do hop", "`upto` is two words", "Write: up to 2 times"),
    ("  any of.these in any order\n    do hop", "unknown symbol `.`", "any of these in any order"),
    ("  keep at most day twigs", "`keep` is written differently here", "keep at most (day) twigs"),
    (
        "  each players from anna\n    do hop",
        "`each` is written differently here",
        "each player from",
    ),
    ("  if the frog is at home: stop", "unexpected `the`", "The language has no articles."),
    ("  if heron on reeds: stop", "this is not a condition", "heron is on reeds"),
    (
        "  if number of cards in your hand is 2: stop",
        "`number` is written differently here",
        "if count of cards on your hand is 2: stop",
    ),
    ("  may as hop on\n    do hop", "the words after `as` need quotes", 'may as "hop on"'),
    ("  place a frog on the shore 2", "unexpected `a`", "The language has no articles."),
    ("  if day is 2: reveal your hand and stop", "`and` does not join steps", "hand then stop"),
    ("  )stop", "unexpected `)`", "Remove it. Write: stop"),
    ("  most 2 times: stop", "unknown instruction `most`", "A step begins with an instruction"),
    ("  move heron to shore 9", "`shore` has no space `9`", "Its spaces are 1 to 6."),
]
ALTERNATIVES = [
    ("take one: gain 1 fame", "a label is one word", "take_one: gain 1 fame"),
    ("take: gian 1 fame", "unknown word `gian`", "take: gain 1 fame"),
    ("discard: gain 1 fame fame", "`fame` is one word too many", "discard: gain 1 fame"),
    ("play: do hop with", "the line ends too early, after `with`", "Expected"),
    ("pass: gain", "the line ends too early, after `gain`", "Expected"),
]
STANDING = [
    (
        "always: build costs 1 twigs less during hop",
        "`during` is written differently here",
        "1 twigs less if during hop",
    ),
    ("gain 2 fame", "when does this work?", "`when ...` or `at end`"),
    ("at end: gain 2 fame", "`at end` goes with `score`", "at end: score 2"),
    (
        "at end: gain 2 fame if your fame is 2",
        "at the end there is only `score`",
        "standing x: at end: score 2 if your fame is 2",
    ),
    (
        "always: most_plans becomes 2 when during hop",
        "unexpected `when`",
        "standing x: always: most_plans becomes 2 if during hop",
    ),
]
NAMES = [
    ("define frog limit: 3\n", "a name is one word", "define frog_limit: 3"),
    ("define frog-limit: 3\n", "a name is one word", "define frog_limit: 3"),
    ("define frog_limit: two\n", "unknown name `two`", "Numbers are written in digits."),
    (
        "variable late: truth\nrule tried\n  if late you win\n",
        "`:` is missing after `late`",
        "if late: you win",
    ),
    ("pool pot\n", "what does `pot` hold?", "Write its resources after a colon."),
    ("score: your fame\n", "the score has no name", "score my_score: your fame"),
    ("goal: 100\n", "unknown word `goal`", "define goal: 100"),
    ("values rank: low 1, high\n", "`high` has no number", "high 1"),
    ("piece toad\n", "how many `toad`?", "piece toad: 1"),
    ("piece toad for each player\n", "how many `toad`?", "piece toad: 1 for each player"),
    ("space bank: row\n", "how many spaces?", "space bank: row of 12"),
    ("card token\n  size: 3\n", "from which number to which?", "size: 0 to 3"),
    ("zone nest: plann\n", "unknown kind of card `plann`", "It can be: card, plan."),
    (
        "zone nest: plan, refilled from nets at once\n",
        "unknown zone `nets`",
        "No zone has that name.",
    ),
    ("resource mud: twigs\n", "`twigs` is already a resource", "A resource is declared once."),
    ("layout\n  line dya\n", "unknown name `dya`", "Did you mean `day`?"),
    ("layout\n  line hand\n", "whose `hand`?", "Each player has one."),
    (
        "zone nest: plan, seen by owner\n",
        "`nest` has no owner",
        "zone nest for each player: plan, seen by owner",
    ),
    ("gain 1 fame\n", "this line is not indented", "begin it with 2 spaces"),
    ("option bazaar: on\n", "option `bazaar` has one value", "option bazaar: off or on"),
]
CHANGES = [
    (
        "remove forbid taken from hop\n",
        "`remove` is written differently here",
        "remove forbid taken",
    ),
    ('replace define most_plans: "3"\n', '"3" is a text', "replace define most_plans: 3"),
    (
        "extend rule hop\n  forbid wet: day is 2\n",
        "a prohibition after an effect",
        "extend rule hop before heron_waits",
    ),
    (
        "extend rule hop before heron_waits\n  if day is 2: gain 1 fame\n",
        "a prohibition after an effect",
        "extend rule hop after taken",
    ),
    ("extend rule raft\n  gain 1 fame\n", "unknown rule `raft`", "extend action of raft"),
    ('change card raft: cost "twigs"\n', "how many `twigs`?", "Write: 1 twigs"),
    ("replace rule raft\n  stop\n", "unknown rule `raft`", 'change card raft: action "..."'),
    ("remove rule raft\n", "unknown rule `raft`", "change card raft: no action"),
    (
        "replace define near: 1\n",
        "`near` takes no arguments now",
        "replace define near of s (shore)",
    ),
    (
        "replace rule reward\n  stop\n",
        "`reward` takes no arguments now",
        "replace rule reward with n (number)",
    ),
]
DECKS = [
    ("water is not in cost", "unknown resource `water`", "It can be: "),
    (
        "water is not in ability",
        "unknown name `water`",
        "The rules declare nothing with that name.",
    ),
]


def is_told(fault: Problem, title: str, says: str) -> bool:
    return fault.title == title and says in f"{fault.text} {fault.hint}"


CASES = [
    *((pond(f"rule tried\n{one}\n"), "pond", *told) for one, *told in RULE_LINES),
    *((pond(ONE_OF.format(one)), "pond", *told) for one, *told in ALTERNATIVES),
    *((pond(f"standing x: {one}\n"), "pond", *told) for one, *told in STANDING),
    *((pond(one), "pond", *told) for one, *told in NAMES),
    *(
        (
            {
                MODULE: RULES
                + "define near of s (shore): neighbours of s\nrule reward with n (number)\n"
                + "  gain (n * count of near of first shore) fame\nrule feast\n  do reward with 2\n",
                **brook(one),
            },
            "brook",
            *told,
        )
        for one, *told in CHANGES
    ),
    *(
        (
            {GAME: SHEET.replace(": pond_plans", f": pond_plans where {one}")},
            "pond",
            *told,
        )
        for one, *told in DECKS
    ),
]


@pytest.mark.parametrize(
    ("files", "game", "title", "says"),
    CASES,
    ids=[f"{at}: {one[2]}" for at, one in enumerate(CASES)],
)
def test_one_message_says_what_was_meant(
    files: dict[str, str], game: str, title: str, says: str
) -> None:
    fault = the_fault(files, game)
    assert is_told(fault, title, says), render([fault])


def test_repairs_that_are_shown_have_been_checked() -> None:
    files = {**FILES, **pond("rule tried\n  let x be random player\n")}
    for found in (
        check_for_all_players("pond", of_texts(files)),
        analyse("pond", of_texts(files)).problems,
    ):
        fault = next(one for one in found if one.severity == "error")
        assert (fault.hint, fault.edits) == ("", ()), render([fault])


def test_a_name_in_capitals_is_told_once() -> None:
    fault = the_fault({MODULE: RULES.replace("twigs, fame", "twigs, Fame")})
    assert fault.hint == "resource twigs, fame"


def test_a_module_that_is_not_based_on_another_is_told_so_once() -> None:
    rules = "language 2\nmodule brook\nreplace define most_plans: 3\nextend rule hop\n  stop\n"
    fault = the_fault({**BROOK, "brook/brook.targi": rules}, "brook")
    assert (fault.code, fault.hint) == ("E407", "module brook based on pond")


@pytest.mark.parametrize(
    ("rules", "title"),
    [
        ("rule rest\n  gian 1 fame\nrule tried\n  do rest\n", "unknown word `gian`"),
        ("function rest\n  stop\nrule tried\n  do rest\n", "unknown word `function`"),
        (
            "rule tried\n  forbidd shut: day is 2\n  stop\nstanding open: always: ignore shut\n",
            "unknown word `forbidd`",
        ),
        (
            "values rank: low 1, high\nrule tried\n  if low is less than high: stop\n",
            "`high` has no number",
        ),
        ("goal: 100\nrule tried\n  if day is goal: stop\n", "unknown word `goal`"),
        (
            "option wind: calm\nrule tried\n  if option wind is rough: stop\n",
            "option `wind` has one value",
        ),
        (
            "zone nest: plan, seen by owner\nrule tried\n  put top of plan_pile on your nest\n",
            "`nest` has no owner",
        ),
        (
            "rule tried\n  each player\n  do hop\n    do hop\n",
            "nothing follows under this line",
        ),
        (
            'rule tried\n  choos s in shore as "on {s}"\n      shows "wet" if day is 2\n  stop\n',
            "unknown word `choos`",
        ),
        (
            "define frog limit: 3\nrule tried\n  gain (frog_limit) fame\n",
            "a name is one word",
        ),
    ],
)
def test_what_follows_from_a_fault_is_not_told(rules: str, title: str) -> None:
    assert title in the_fault(pond(rules)).title


def test_what_follows_from_the_kind_of_the_cards_is_not_told() -> None:
    cards = CARDS.replace("kind: plan", "kind: plans")
    rules = pond("rule tried\n  do raft\n  if top of plan_pile is in the cards den: stop\n")
    assert the_fault({PLANS: cards, **rules}).title == "no kind of card `plans`"


def test_what_follows_from_the_players_is_not_told() -> None:
    rules = RULES.replace("players anna, bert", "players 2") + "rule tried\n  anna gains 1 fame\n"
    fault = the_fault({MODULE: rules})
    assert (fault.title, fault.hint) == ("the players have no names", "players one, two")


def test_every_unknown_field_of_a_filter_is_told() -> None:
    sheet = SHEET.replace(": pond_plans", ": pond_plans where srot is reed and wroth is 2")
    _, found = check("pond", of_texts({**FILES, GAME: sheet}))
    assert [one.hint for one in found] == ["Did you mean `sort`?", "Did you mean `worth`?"]


def test_a_tie_and_a_game_that_lack_a_word_are_mended() -> None:
    tie = the_fault({MODULE: RULES.replace("tie: most your twigs", "tie: your twigs")})
    assert tie.hint.startswith("tie: most your twigs")
    game = the_fault({GAME: SHEET.replace('game pond "', 'game "')})
    assert game.hint == 'game my_game "At the pond"'


def test_a_game_without_a_rule_shows_one_that_can_be_pasted() -> None:
    fault = the_fault({MODULE: RULES.replace("rule setup", "rule begin")})
    assert fault.hint == "rule setup\n  nothing"
    assert not [
        one
        for one in check(
            "pond",
            of_texts(
                {
                    MODULE: RULES.replace("rule setup", "rule begin") + fault.hint + "\n",
                    PLANS: CARDS,
                    GAME: SHEET,
                }
            ),
        )[1]
        if one.severity == "error"
    ]


def test_amounts_without_and_are_joined() -> None:
    fault = the_fault({PLANS: CARDS.replace("1 grey and 1 red", "1 grey 1 red")})
    assert fault.hint == "1 grey and 1 red or 1 twigs"


def test_a_key_without_a_value_is_told_so() -> None:
    fault = the_fault({PLANS: CARDS.replace("cost: 1 grey\n", "cost:\n")})
    assert fault.title == "the value is missing"


def test_what_follows_from_a_key_of_a_card_is_not_told() -> None:
    cards = CARDS.replace("  - id: den", "    atcion: gain 1 fame\n  - id: den")
    fault = the_fault({PLANS: cards, **pond("rule tried\n  do raft\n")})
    assert fault.title == "unknown field `atcion`"


@pytest.mark.parametrize(
    ("line", "slip", "title"),
    [
        ("rules pond", "rules pnod", "unknown module `pnod`"),
        ("deck plan_pile", "deck plna_pile", "unknown zone `plna_pile`"),
    ],
)
def test_what_follows_from_a_line_of_the_sheet_is_not_told(
    line: str, slip: str, title: str
) -> None:
    rules = RULES.replace(
        "from plan_waste when needed", "from plan_waste when needed, numbered 1 to 9"
    )
    assert the_fault({MODULE: rules, GAME: SHEET.replace(line, slip)}).title == title


def test_a_text_that_is_not_closed_is_told_where_it_begins() -> None:
    fault = the_fault({PLANS: CARDS.replace('1 fame"', "1 fame")})
    assert fault.title == "the text is not closed"
    assert fault.span is not None and fault.span.text == '"once: gain 1 fame'


@pytest.mark.parametrize("record", ["version: 3\nchoices: [a, b]\n", "- 1\n- 2\n", "a: [\n"])
def test_a_file_of_something_else_beside_the_sheet_is_not_read(record: str) -> None:
    rules = RULES.replace("do hop\n", "do hpo\n")
    fault = the_fault({MODULE: rules, "saved.yaml": record, "pond/saved.yaml": record})
    assert fault.title == "unknown rule `hpo`"
