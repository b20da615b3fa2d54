"""The language server, spoken to as an editor does."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from lsprotocol import types as p
from pygls.exceptions import JsonRpcException

from targi_dsl.lsp.server import RUN_TEST, server
from tests.commands import ROOT
from tests.editor_client import RULES, SECONDS, SHEET, Editor, at_the_editor, place
from tests.small_game import FILES, write_to


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    write_to(tmp_path)
    return tmp_path


def test_every_request_is_answered(pond: Path) -> None:
    rules = FILES[RULES]

    async def session(editor: Editor) -> None:
        client, document = editor.client, p.TextDocumentIdentifier(editor.uri(RULES))
        editor.open(RULES)
        assert await editor.told(RULES) == []
        build = place(rules, "rule build", "build")

        hover = await client.text_document_hover_async(p.HoverParams(document, build))
        assert hover is not None and isinstance(hover.contents, p.MarkupContent)
        assert hover.contents.value.startswith("**rule** `build`\n\n```targi\nrule build\n")
        assert "declared in `pond`" in hover.contents.value and "den" in hover.contents.value

        called = p.DefinitionParams(document, place(rules, "do build", "build"))
        found = await client.text_document_definition_async(called)
        assert isinstance(found, list | tuple)
        (target,) = found
        assert isinstance(target, p.Location) and target.range.start.line == build.line

        every = p.ReferenceParams(p.ReferenceContext(True), document, build)
        uses = await client.text_document_references_async(every)
        assert uses is not None and len(uses) == 3

        ready = p.PrepareRenameParams(document, build)
        assert await client.text_document_prepare_rename_async(ready) is not None
        renamed = await client.text_document_rename_async(p.RenameParams(document, build, "raise"))
        assert renamed is not None and renamed.changes is not None
        assert {uri: len(edits) for uri, edits in renamed.changes.items()} == {
            editor.uri(RULES): 2,
            editor.uri("pond/pond_plans.yaml"): 1,
        }
        with pytest.raises(JsonRpcException, match="small letters"):
            await client.text_document_rename_async(p.RenameParams(document, build, "Build!"))

        gained = p.CompletionParams(document, place(rules, "gain 1 pebbles", "pebbles"))
        offered = await client.text_document_completion_async(gained)
        assert isinstance(offered, list | tuple)
        assert "pebbles" in [one.label for one in offered]

        symbols = await client.text_document_document_symbol_async(p.DocumentSymbolParams(document))
        assert symbols is not None and "build" in [one.name for one in symbols]
        named = await client.workspace_symbol_async(p.WorkspaceSymbolParams("mstpln"))
        assert named is not None and [one.name for one in named] == ["most_plans"]
        whole = p.Range(p.Position(0, 0), p.Position(rules.count("\n"), 0))
        hints = await client.text_document_inlay_hint_async(p.InlayHintParams(document, whole))
        assert hints is not None
        used = place(rules, "less than 2 * most_plans", "most_plans").line
        assert [(one.position.line, one.label) for one in hints] == [(used, " = 2")]
        folds = await client.text_document_folding_range_async(p.FoldingRangeParams(document))
        assert folds is not None and (build.line, build.line + 4) in [
            (one.start_line, one.end_line) for one in folds
        ]
        coloured = await client.text_document_semantic_tokens_full_async(
            p.SemanticTokensParams(document)
        )
        assert coloured is not None and len(coloured.data) > 500 and not len(coloured.data) % 5
        lenses = await client.text_document_code_lens_async(p.CodeLensParams(document))
        assert lenses is not None
        titles = {one.range.start.line: one.command and one.command.title for one in lenses}
        assert titles[build.line] == "2 uses, 1 card"
        choose = p.ExecuteCommandParams("targi.chooseGame", [str(pond / RULES), str(pond / SHEET)])
        await client.workspace_execute_command_async(choose)
        layout = p.DocumentFormattingParams(document, p.FormattingOptions(2, True))
        assert not await client.text_document_formatting_async(layout)

    at_the_editor(pond, session)


def test_every_feature_and_command_is_asked_for_in_a_test() -> None:
    tests = "".join(file.read_text("utf-8") for file in (ROOT / "tests").glob("test_*.py"))
    lens = (ROOT / "tests/editor_client.py").read_text("utf-8")
    features = [*server.protocol.fm.features]
    assert "textDocument/hover" in features
    for feature in features:
        name = re.sub(r"(?=[A-Z])", "_", feature.replace("/", "_")).lower()
        assert f"client.{name}" in tests + lens, feature
    for command in server.protocol.fm.commands:
        assert f'"{command}"' in tests or command == RUN_TEST  # which a lens has


def test_problems_follow_what_is_typed_and_many_changes_are_one_check(pond: Path) -> None:
    rules = FILES[RULES]
    wrong = rules.replace("gain 1 pebbles", "gain 1 peebles")

    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        editor.change(RULES, wrong)
        line = place(rules, "gain 1 pebbles", "pebbles").line
        assert await editor.told(RULES) == [("E201", line + 1)]

        document = p.TextDocumentIdentifier(editor.uri(RULES))
        here = p.Range(p.Position(line, 0), p.Position(line + 1, 0))
        actions = await editor.client.text_document_code_action_async(
            p.CodeActionParams(document, here, p.CodeActionContext([]))
        )
        assert actions is not None
        (action,) = actions
        assert isinstance(action, p.CodeAction) and action.edit and action.edit.changes
        ((_, edits),) = action.edit.changes.items()
        assert [edit.new_text for edit in edits] == ["pebbles"]

        more = list[int]()
        while not more or (min(more) > 2 and len(more) < 5):  # a busy machine may divide some
            for blanks in range(100):
                editor.change(RULES, rules + "\n" * blanks)
            assert await editor.told(RULES) == []
            await asyncio.sleep(0.5)
            more.append(editor.published.qsize())
            while not editor.published.empty():
                editor.published.get_nowait()
        assert min(more) <= 2, more

    at_the_editor(pond, session)


def test_a_file_that_is_saved_by_another_program_is_read_again(pond: Path) -> None:
    cards = "pond/pond_plans.yaml"

    async def session(editor: Editor) -> None:
        editor.open(RULES)
        assert await editor.told(RULES) == []
        (pond / cards).write_text(FILES[cards].replace("build", "buidl"), encoding="utf-8")
        document = p.TextDocumentIdentifier(editor.uri(RULES))
        editor.client.text_document_did_save(p.DidSaveTextDocumentParams(document))
        assert "E201" in {code for code, _ in await editor.told(cards)}

    at_the_editor(pond, session)


def test_rule_tests_are_run_where_they_are_open_and_one_by_one(pond: Path) -> None:
    tests = "pond/pond.test.targi"
    text = 'language 2\ntests of pond\n\ntest "a hop"\n  when hop 1\n  then day: {}\n'

    async def session(editor: Editor) -> None:
        client, document = editor.client, p.TextDocumentIdentifier(editor.uri(tests))
        editor.open(tests, text.format(2))
        assert await editor.told(tests) == [("E661", 6)]
        editor.change(tests, text.format(1))
        assert await editor.told(tests) == []
        lenses = await client.text_document_code_lens_async(p.CodeLensParams(document))
        assert lenses is not None
        (lens,) = lenses
        assert lens.command is not None and lens.command.title == "run this test"
        run = p.ExecuteCommandParams(lens.command.command, lens.command.arguments)
        assert await client.workspace_execute_command_async(run) is True
        editor.change(tests, text.format(3))
        assert await client.workspace_execute_command_async(run) is False

    at_the_editor(pond, session)


def test_a_server_without_its_client_ends(pond: Path) -> None:
    async def session() -> None:
        server = await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "cli.py"), "lsp", stdin=asyncio.subprocess.PIPE
        )
        assert server.stdin is not None
        server.stdin.write(b"Content-Length: 12\r\n\r\nno json here")
        server.stdin.close()
        await asyncio.wait_for(server.wait(), SECONDS)

    asyncio.run(session())
