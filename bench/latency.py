"""Measures how long an editor waits, in a file of 500 lines of a game with 97 cards.

    python -m bench.latency [--times N]

Prints milliseconds, median and 95th percentile, of the language service alone (processor time) and
through the protocol (wall time, with the pause after the last key), each also as a ratio to
`targi validate` of the same game in the same run, measured in the same way.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from lsprotocol import types as p

from targi_dsl.language_service import Workspace, completions, definitions, hover, rename
from targi_dsl.lsp.server import NEW_OBJECTS
from tests.editor_client import Editor, at_the_editor, place

ROOT = Path(__file__).parent.parent
GAME, FILE, LINES = "expansion", "rules/expansion/07_tribe_cards.targi", 500
RENAMED, FRESH = ("rules/base/12_limits.targi", "goods_limit}"), "most_goods"


def text_of(lines: int = LINES) -> str:
    """The file, made as long by definitions that are used."""
    text = (ROOT / FILE).read_text(encoding="utf-8").rstrip() + "\n"
    missing = (lines - text.count("\n")) // 2
    more = (
        f"\ndefine spare_{at}: {f'spare_{at - 1} + 1' if at % 10 else 1}\n" for at in range(missing)
    )
    return text + "".join(more)


def edited(text: str, at: int) -> str:
    """The text with another number in a definition in its last lines."""
    return text.replace("define spare_0: 1", f"define spare_0: {at % 7 + 1}")


def validate() -> tuple[float, float]:
    """Wall and processor milliseconds of `targi validate`, the least of three."""

    def once() -> tuple[float, float]:
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, str(ROOT / "cli.py"), "validate", GAME, "--games", "0"]
        subprocess.run(command, check=False, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = (time.perf_counter() - began) * 1000
        return wall, (after.ru_utime - before.ru_utime) * 1000

    walls, processors = zip(*(once() for _ in range(3)), strict=True)
    return min(walls), min(processors)


def service(times: int) -> Iterator[tuple[str, list[float]]]:
    """What the service takes without the protocol, in processor milliseconds."""
    workspace, path, text = Workspace(), str(ROOT / FILE), text_of()
    sheet = str(ROOT / f"rules/games/{GAME}.targi")
    workspace.choose(path, sheet)

    def measured(act: Callable[[int], object]) -> list[float]:
        found = list[float]()
        for at in range(times):
            began = time.process_time()
            act(at)
            found.append((time.process_time() - began) * 1000)
        return found

    def check(at: int) -> None:
        workspace.edit(path, edited(text, at))
        workspace.problems(path)
        _ = workspace.names(path)

    check(0)
    gc.freeze()  # as the server does
    gc.set_threshold(NEW_OBJECTS)
    here = text.rindex("spare_")
    yield "diagnostics", measured(check)
    yield "completion", measured(lambda _: completions(workspace, path, here))
    yield "hover", measured(lambda _: hover(workspace, path, here))
    yield "definition", measured(lambda _: definitions(workspace, path, here))
    file, word = str(ROOT / RENAMED[0]), RENAMED[1]
    at = workspace.source(file).text.index(word) + 1
    rename(workspace, file, at, FRESH, [str(ROOT)])
    yield "rename", measured(lambda _: rename(workspace, file, at, FRESH, [str(ROOT)]))


def protocol(times: int) -> Iterator[tuple[str, list[float]]]:
    """What an editor waits for, in milliseconds of wall time, and checks of many changes."""
    found = dict[str, list[float]]()
    text, began = text_of(), time.perf_counter()

    async def session(editor: Editor) -> None:
        client, document = editor.client, p.TextDocumentIdentifier(editor.uri(FILE))
        found["ready"] = [(time.perf_counter() - began) * 1000]
        editor.open(FILE, text)
        await editor.told(FILE)
        found["first diagnostics"] = [(time.perf_counter() - began) * 1000]

        async def measured(act: Callable[[int], Awaitable[object]]) -> list[float]:
            taken = list[float]()
            for at in range(times):
                start = time.perf_counter()
                await act(at)
                taken.append((time.perf_counter() - start) * 1000)
            return taken

        async def typed(at: int) -> None:
            editor.change(FILE, edited(text, at + 1))
            await editor.told(FILE)

        last = re.findall(r"spare_\d+ \+ 1", text)[-1]
        here = place(text, last, "spare")
        found["diagnostics"] = await measured(typed)
        found["completion"] = await measured(
            lambda _: client.text_document_completion_async(p.CompletionParams(document, here))
        )
        found["hover"] = await measured(
            lambda _: client.text_document_hover_async(p.HoverParams(document, here))
        )
        found["definition"] = await measured(
            lambda _: client.text_document_definition_async(p.DefinitionParams(document, here))
        )
        for at in range(100):
            editor.change(FILE, edited(text, at))
        await editor.told(FILE)
        await asyncio.sleep(1)
        while not editor.published.empty():
            editor.published.get_nowait()
            found.setdefault("more checks", [0.0])[0] += 1
        found["checks of 100 changes"] = [1 + found.pop("more checks", [0.0])[0]]

    at_the_editor(ROOT, session)
    yield from found.items()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    times = parser.parse_args().times
    wall, processor = validate()
    sys.stdout.write(f"validate   {wall:6.0f} ms, {processor:.0f} of processor time\n")
    for title, figures, whole in (
        ("service", service(times), processor),
        ("protocol", protocol(times), wall),
    ):
        for name, taken in figures:
            high = sorted(taken)[-1 - len(taken) // 20]
            middle = statistics.median(taken)
            ratio = f", {middle / whole:.2f} and {high / whole:.2f} of validate"
            unit = "" if name.startswith("checks") else f" ms{ratio}"
            sys.stdout.write(f"{title:9} {name:22} {middle:6.1f} {high:6.1f}{unit}\n")


if __name__ == "__main__":
    main()
