"""What an editor does that it should not: the server tells it, and goes on answering."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest
from lsprotocol import types as p

from targi_dsl.compiler.project import discovery
from targi_dsl.language_service import Workspace
from tests.commands import ROOT
from tests.editor_client import RULES, SECONDS, SHEET, Editor, at_the_editor, place
from tests.small_game import FILES, write_to

WRONG = FILES[RULES].replace("gain 1 pebbles", "gain 1 peebles")
BUILD = place(FILES[RULES], "rule build", "build")


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    write_to(tmp_path)
    return tmp_path


async def is_alive(editor: Editor) -> bool:
    """Whether the server still knows what a name means."""
    at = p.HoverParams(p.TextDocumentIdentifier(editor.uri(RULES)), BUILD)
    return await editor.client.text_document_hover_async(at) is not None


def opened(editor: Editor, uri: str, text: str) -> None:
    item = p.TextDocumentItem(uri, "targi", 1, text)
    editor.client.text_document_did_open(p.DidOpenTextDocumentParams(item))


def closed(editor: Editor, uri: str) -> None:
    document = p.TextDocumentIdentifier(uri)
    editor.client.text_document_did_close(p.DidCloseTextDocumentParams(document))


async def told_at(editor: Editor, uri: str) -> list[str]:
    while True:
        found = await asyncio.wait_for(editor.published.get(), SECONDS)
        if found.uri == uri:
            return [str(one.code) for one in found.diagnostics]


def test_texts_without_a_file_binary_and_very_long_ones_are_told(pond: Path) -> None:
    untitled = "untitled:Untitled-1"

    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        opened(editor, untitled, "language 2\nmodule x\ndefin y: 1\n")
        assert await told_at(editor, untitled) == ["E110"]
        at = p.HoverParams(p.TextDocumentIdentifier(untitled), p.Position(1, 8))
        assert await editor.client.text_document_hover_async(at) is None
        closed(editor, untitled)
        for name, text, code in (
            ("binary.targi", "\x00\x01\ufffd\x7f", "E"),
            ("long.targi", "language 2\nmodule long\n" + "define x: 1\n" * 175_000, "E"),
            ("long.yaml", "cards:\n" + "  - id: x\n" * 200_000, "E"),
        ):
            uri = editor.uri(name)
            opened(editor, uri, text)
            codes = await told_at(editor, uri)
            assert codes and all(one.startswith(code) for one in codes), name
            closed(editor, uri)
        assert await is_alive(editor)

    at_the_editor(pond, session)


def test_a_file_deleted_or_renamed_while_open_is_what_is_open(pond: Path) -> None:
    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        (pond / RULES).unlink()
        gone = p.FileEvent(editor.uri(RULES), p.FileChangeType.Deleted)
        editor.client.workspace_did_change_watched_files(p.DidChangeWatchedFilesParams([gone]))
        assert await editor.told(RULES) == []
        assert await is_alive(editor)
        (pond / "pond/other.targi").write_text(FILES[RULES], encoding="utf-8")
        closed(editor, editor.uri(RULES))
        opened(editor, editor.uri("pond/other.targi"), FILES[RULES])
        assert await editor.told("pond/other.targi") == []

    at_the_editor(pond, session)


def test_of_two_buffers_of_a_file_the_last_change_counts_until_both_are_closed(pond: Path) -> None:
    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        other = editor.uri(RULES).replace("pond.targi", "%70ond.targi")
        opened(editor, other, WRONG)
        assert [code for code, _ in await editor.told(RULES)] == ["E201"]
        closed(editor, other)
        assert await editor.told(RULES) == []
        opened(editor, other, WRONG)
        closed(editor, editor.uri(RULES))
        assert [code for code, _ in await editor.told(RULES)] == ["E201"]

    at_the_editor(pond, session)


def test_versions_out_of_order_are_taken_as_they_come(pond: Path) -> None:
    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        for version, text in ((9, WRONG), (3, FILES[RULES]), (9, WRONG), (1, FILES[RULES])):
            editor.version = version
            editor.change(RULES, text)
        found = await editor.told(RULES)
        if found:  # a version in between was checked
            found = await editor.told(RULES)
        assert found == []
        beyond = p.Range(p.Position(9000, 9), p.Position(9000, 4))
        document = p.VersionedTextDocumentIdentifier(2, editor.uri(RULES))
        part = p.TextDocumentContentChangePartial(beyond, "\ndefine more: 1\n")
        editor.client.text_document_did_change(p.DidChangeTextDocumentParams(document, [part]))
        assert await is_alive(editor)

    at_the_editor(pond, session)


def test_what_is_no_message_is_passed_over_and_a_server_alone_ends(pond: Path) -> None:
    begin: dict[str, object] = {"processId": None, "rootUri": pond.as_uri(), "capabilities": {}}

    async def session() -> float:
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, str(ROOT / "cli.py"), "lsp"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert server.stdin is not None and server.stdout is not None
        for text in (
            "no json here",
            '{"jsonrpc": "2.0"}',
            "[1, 2]",
            '{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": 3}',
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}),
        ):
            server.stdin.write(f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
        answer = b""
        while b"capabilities" not in answer:
            answer += await asyncio.wait_for(server.stdout.read(65_536), SECONDS)
        began = time.perf_counter()
        server.stdin.close()
        await asyncio.wait_for(server.wait(), SECONDS)
        return time.perf_counter() - began

    assert asyncio.run(session()) < 5  # an idle machine takes a part of a second


def test_too_many_files_beside_a_sheet_are_told_and_not_read(
    pond: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "MOST_FILES", 50)
    for number in range(60):
        (pond / f"pond/{number}.txt").touch()
    (code,) = {one.code for one in Workspace().problems(str(pond / SHEET))}
    assert code == "E023"
