"""A small game as texts, to be broken and varied: two players collect pebbles and build with cards."""

from __future__ import annotations

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem

RULES = """\
language 2
module pond "At the pond"

players anna, bert
resource pebbles: grey, red
resource twigs, fame
values sort: reed, lily, newt

card plan
  sort: sort
  worth: 1 to 3
  cost: cost
  ability: ability, may be missing
  action: action, may be missing

space shore: ring of 6
space garden for each player: grid 2 by 2, abilities active
zone plan_pile: plan, face down, refilled from plan_waste when needed
zone plan_waste: plan
zone hand for each player: plan, seen by owner
piece frog: 2 for each player
piece heron: 1
variable day: 0 to 20
variable visits for each player: 0 to 99
set reeds: shore 1, 4
relation over on shore both ways: 1 to 4, 2 to 5, 3 to 6
option flood: never or always

define most_plans: 2

rule setup
  shuffle plan_pile
  each player
    gain 2 grey and 1 red and 1 twigs

rule round
  set day to day + 1
  each player
    do hop
    do draw_plan
    may
      do build
  each player
    remove first (your frog on shore)
  if day is at least 6
    end game

rule hop
  choose spot in shore
  forbid heron_waits: place of heron is spot because "the heron stands there"
  forbid taken: any frog on spot because "a frog sits there already"
  place frog on spot
  move heron to next of spot
  gain 1 pebbles
  set visits of you to visits of you + 1

rule draw_plan
  let found be top of plan_pile
  put found on your hand

rule build
  choose plan in your hand
  pay cost of plan
  choose bed in your garden where no cards on bed
  put plan on bed

score built: sum of worth of c for (c in cards on your garden)
score fame: your fame
tie: most your twigs, then most your pebbles
"""

CARDS = """\
language: 2
set: pond_plans
kind: plan
source: seed
cards:
  - id: bridge
    copies: 3
    name: {en: Bridge}
    sort: reed
    worth: 1
    cost: 1 grey
  - id: raft
    copies: 3
    name: {en: Raft}
    sort: lily
    worth: 2
    cost: 1 grey and 1 red or 1 twigs
    ability: "once: gain 1 fame"
  - id: den
    copies: 3
    name: {en: Den}
    sort: newt
    worth: 3
    cost: 3 pebbles
    ability: "always: build costs 1 pebbles less if sort of plan is newt"
"""

SHEET = """\
language 2

game pond "At the pond"
  rules pond
  deck plan_pile: pond_plans
  option flood: never
"""

FILES = {"pond/pond.targi": RULES, "pond/pond_plans.yaml": CARDS, "pond.targi": SHEET}


def with_change(name: str, old: str, new: str) -> dict[str, str]:
    """The files with one passage changed; the passage must occur exactly once."""
    assert FILES[name].count(old) == 1, (old, FILES[name].count(old))
    return {**FILES, name: FILES[name].replace(old, new)}


HEAD = "language 2\nmodule {} based on {}\n"


def pond(modules: dict[str, str], sheet: str = "", **bases: str) -> dict[str, str]:
    """The small game with more modules, each based on pond by default, and with more lines in its
    sheet.
    """
    files = {
        f"{name}/{name}.targi": HEAD.format(name, bases.get(name, "pond")) + text
        for name, text in modules.items()
    }
    rules = " + ".join(["pond", *modules])
    return {**FILES, **files, "pond.targi": SHEET.replace("rules pond", f"rules {rules}") + sheet}


def told(files: dict[str, str]) -> tuple[Problem, ...]:
    """The problems of the small game with these files."""
    return check("pond", of_texts(files))[1]
