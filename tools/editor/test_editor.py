# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""Talks to the language server as editors do, with a client that others keep and the capabilities
of real editors. TOFUWIRE is the program."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROGRAM = os.environ["TOFUWIRE"]
MODULES = pathlib.Path(__file__).parents[2] / "hclconfig" / "testdata" / "modules"

ROOT = '''terraform {
  required_version = ">= 1.6"
}

# "😀" are two units of UTF-16.
locals { greeting = "😀 ${module.paint.shade}" }

module "paint" {
  source = "./paint"
  colour = upper("red")
}

resource "terraform_data" "wall" {
  input = [local.greeting, var.unknown]
}
'''

PAINT = '''variable "colour" {
  type        = string
  description = "The colour of the wall."
}

output "shade" {
  description = "A darker one."
  value       = "${var.colour}-dark"
}
'''


def position(text, around):
    """The place of the mark | in a part of a text, in UTF-16 units."""
    before, after = around.split("|")
    at = text.index(before + after) + len(before)
    line = text.count("\n", 0, at)
    column = len(text[text.rfind("\n", 0, at) + 1 : at].encode("utf-16-le")) // 2
    return types.Position(line, column)


def place(text, range_):
    """The text at a range."""
    lines = text.split("\n")

    def offset(p):
        return sum(len(line) + 1 for line in lines[: p.line]) + len(
            lines[p.line].encode("utf-16-le")[: 2 * p.character].decode("utf-16-le")
        )

    return text[offset(range_.start) : offset(range_.end)]


def edited(text, edits):
    """A text with edits made, the last one first."""
    lines = text.split("\n")
    for e in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        lines = text.split("\n")
        start = types.Range(types.Position(0, 0), e.range.start)
        end = types.Range(types.Position(0, 0), e.range.end)
        text = place(text, start) + e.new_text + text[len(place(text, end)) :]
    return text


@pytest_lsp.fixture(
    params=["neovim", "visual_studio_code", "emacs"],
    config=ClientServerConfig(server_command=[PROGRAM, "lsp"]),
)
async def client(request, lsp_client: LanguageClient, tmp_path):
    lsp_client.folder = tmp_path
    (tmp_path / ".git").mkdir()
    (tmp_path / "paint").mkdir()
    (tmp_path / "main.tf").write_text(ROOT)
    (tmp_path / "paint" / "main.tf").write_text(PAINT)
    capabilities = client_capabilities(request.param)
    if capabilities.general:
        capabilities.general.position_encodings = ["utf-16"]
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(tmp_path.as_uri(), "folder")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def uri(client, name):
    return (client.folder / name).as_uri()


def opened(client, name, text, version=1):
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri(client, name), "opentofu", version, text))
    )


async def diagnostics(client, name, holds):
    """The diagnostics of a file, once they are as wanted."""
    for _ in range(300):
        found = client.diagnostics.get(uri(client, name))
        if found is not None and holds(found):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"{name} has {client.diagnostics.get(uri(client, name))}")


def at(client, name, text, around):
    return {"text_document": types.TextDocumentIdentifier(uri(client, name)), "position": position(text, around)}


@pytest.mark.asyncio
async def test_names(client):
    opened(client, "main.tf", ROOT)
    found = await client.text_document_definition_async(types.DefinitionParams(**at(client, "main.tf", ROOT, "module.paint.sh|ade")))
    found = found[0] if isinstance(found, list) else found
    target = getattr(found, "target_uri", None) or found.uri
    selection = getattr(found, "target_selection_range", None) or found.range
    assert target == uri(client, "paint/main.tf") and place(PAINT, selection) == "shade"

    found = await client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(True), **at(client, "main.tf", ROOT, "|colour = upper"))
    )
    texts = {uri(client, "main.tf"): ROOT, uri(client, "paint/main.tf"): PAINT}
    assert [place(texts[f.uri], f.range) for f in found] == ["colour"] * 3

    found = await client.text_document_hover_async(types.HoverParams(**at(client, "main.tf", ROOT, "|colour = upper")))
    assert "The colour of the wall." in found.contents.value

    found = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(uri(client, "main.tf")))
    )
    assert any("wall" in s.name for s in found)
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("VAR.COL"))
    assert [s.name for s in found] == ["var.colour"]


@pytest.mark.asyncio
async def test_rename(client):
    opened(client, "main.tf", ROOT, 7)
    params = at(client, "main.tf", ROOT, '"terraform_data" "|wall"')
    with_name = types.RenameParams(new_name="side", **params)
    edit = await client.text_document_rename_async(with_name)
    if edit.document_changes:
        (change,) = edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (uri(client, "main.tf"), 7)
        edits = change.edits
    else:
        edits = edit.changes[uri(client, "main.tf")]
    moved = "\nmoved {\n  from = terraform_data.wall\n  to   = terraform_data.side\n}\n"
    assert edited(ROOT, edits) == ROOT.replace('"wall"', '"side"') + moved

    edit = await client.text_document_rename_async(
        types.RenameParams(new_name="tint", **at(client, "main.tf", ROOT, "|colour = upper"))
    )
    changed = edit.changes or {d.text_document.uri: d.edits for d in edit.document_changes}
    assert edited(ROOT, changed[uri(client, "main.tf")]) == ROOT.replace("colour = upper", "tint   = upper")
    assert edited(PAINT, changed[uri(client, "paint/main.tf")]) == PAINT.replace('"colour"', '"tint"').replace("var.colour", "var.tint")

    with pytest.raises(Exception, match="function"):
        await client.text_document_rename_async(types.RenameParams(new_name="lower", **at(client, "main.tf", ROOT, "up|per(")))


@pytest.mark.asyncio
async def test_unsaved(client):
    opened(client, "paint/main.tf", PAINT)
    changed = PAINT.replace("colour", "color")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=uri(client, "paint/main.tf"), version=2),
            [
                types.TextDocumentContentChangePartial(
                    range=types.Range(position(PAINT, '"colo|ur"'), position(PAINT, '"colou|r"')), text=""
                ),
                types.TextDocumentContentChangePartial(
                    range=types.Range(position(PAINT, "var.colo|ur"), position(PAINT, "var.colou|r")), text=""
                ),
            ],
        )
    )
    found = await diagnostics(client, "main.tf", lambda l: any(d.message.startswith("Unsupported argument; ") for d in l))
    assert place(ROOT, [d for d in found if d.message.startswith("Unsupported argument; ")][0].range) == "colour"
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=uri(client, "paint/main.tf"), version=3),
            [types.TextDocumentContentChangeWholeDocument(PAINT)],
        )
    )
    await diagnostics(client, "main.tf", lambda l: not any("Unsupported" in d.message for d in l))
    assert changed != PAINT


@pytest.mark.asyncio
async def test_actions(client):
    text = ROOT.replace('  colour = upper("red")\n', "")
    opened(client, "main.tf", text)
    await diagnostics(client, "main.tf", lambda l: any(d.message.startswith("Missing required argument; ") for d in l))

    async def action(around, title):
        point = position(text, around)
        found = await client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri(client, "main.tf")), types.Range(point, point), types.CodeActionContext([])
            )
        )
        (chosen,) = [a for a in found if a.title.startswith(title)]
        changed = chosen.edit.changes or {d.text_document.uri: d.edits for d in chosen.edit.document_changes}
        return edited(text, changed[uri(client, "main.tf")])

    assert await action('module "|paint"', "Add missing") == text.replace('"./paint"\n', '"./paint"\n  colour = ""\n')
    assert 'variable "unknown"' in await action("var.un|known", "Add variable")


@pytest.mark.asyncio
async def test_format(client):
    text = 'locals {\n  a="😀"\n  bbb =   1\n}\n'
    opened(client, "main.tf", text)
    found = await client.text_document_formatting_async(
        types.DocumentFormattingParams(types.TextDocumentIdentifier(uri(client, "main.tf")), types.FormattingOptions(8, False))
    )
    assert edited(text, found) == 'locals {\n  a   = "😀"\n  bbb = 1\n}\n'


@pytest.mark.asyncio
async def test_findings(client):
    """The findings of lint, at the same places, of modules with many of them."""
    compared = 0
    for module in sorted(MODULES.iterdir())[:40]:
        files = sorted(p.name for p in module.iterdir() if p.name.endswith((".tf", ".tofu", ".tf.json")))
        if not files:
            continue
        folder = client.folder / "modules" / module.name
        shutil.copytree(module, folder)
        ran = subprocess.run([PROGRAM, "lint", "-format", "json", "."], cwd=folder, capture_output=True, text=True)
        if ran.returncode > 1 or "syntax" in ran.stderr:
            continue
        want = []
        for f in json.loads(ran.stdout)["findings"]:
            if f["range"]["filename"] == files[0]:
                source = (folder / files[0]).read_bytes()
                start, end = (source[: f["range"][side]["byte"]].decode() for side in ("start", "end"))
                span = [(s.count("\n"), len(s[s.rfind("\n") + 1 :].encode("utf-16-le")) // 2) for s in (start, end)]
                want.append((*span, f["rule"], f["message"]))
        name = f"modules/{module.name}/{files[0]}"
        opened(client, name, (folder / files[0]).read_bytes().decode())
        found = await diagnostics(client, name, lambda l: len(l) == len(want))
        got = [((d.range.start.line, d.range.start.character), (d.range.end.line, d.range.end.character), d.code, d.message) for d in found]
        assert sorted(got) == sorted(want), module.name
        assert {d.source for d in found} <= {"tofuwire"}
        compared += len(want)
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri(client, name))))
    assert compared > 20
