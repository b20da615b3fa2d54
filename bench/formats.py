"""Formats random declarations that the grammar allows: twice is once, and they say the same.

python -m bench.formats                3,000 of them
python -m bench.formats --count 150    a quick check
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

from targi_dsl.syntax import read_file
from targi_dsl.text.source import Source
from targi_dsl.tools.formatting import formatted
from tests.random_sentences import sentence


def changed(count: int, seed: int) -> Iterator[str]:
    """The texts that formatting changes again, or that then say something else, among so many."""
    chance = Random(seed)
    while count:
        source = Source("x", "language 2\n" + sentence("declaration", chance))
        file = read_file(source)
        if file.problems:
            continue
        count -= 1
        text = formatted(source)
        again = Source("x", text)
        same = read_file(again).declarations == file.declarations
        if not same or formatted(again) != text:
            yield source.text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=3000, metavar="N", help="how many")
    parser.add_argument("--seed", type=int, default=25, metavar="N")
    given = parser.parse_args()
    found = [*changed(given.count, given.seed)]
    sys.stdout.write("".join(f"{text}\n" for text in found))
    sys.stdout.write(f"{given.count:,} declarations: {len(found)} changed\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
