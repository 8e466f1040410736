# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""Asks our language server and terraform-ls what they offer and find, and checks the table that
docs/comparison.md has of it. TOFUWIRE is the program, TERRAFORM_LS the other one."""

import asyncio
import json
import os
import pathlib

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "comparison.md"
FILES = {
    "main.tf": 'variable "a" {}\n\nlocals {\n  x = var.b\n}\n',
    "more.tofu": 'locals {\n  z = var.nosuch\n}\n',
}


async def message(stream):
    """The next message of a server."""
    length = 0
    while (line := await stream.readline()) != b"\r\n":
        if not line:
            raise EOFError
        name, _, value = line.decode().partition(":")
        if name.lower() == "content-length":
            length = int(value)
    return json.loads(await stream.readexactly(length))


async def asked(command, folder):
    """The capabilities of a server, and its findings in each file after some seconds."""
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)

    def send(**members):
        body = json.dumps({"jsonrpc": "2.0", **members}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    uri = folder.as_uri()
    capabilities, findings = {}, {name: set() for name in FILES}
    try:
        send(id=1, method="initialize", params={
            "processId": os.getpid(), "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "module"}],
            "capabilities": {"textDocument": {"rename": {"prepareSupport": True}, "publishDiagnostics": {}}, "workspace": {"workspaceFolders": True}},
        })
        while (answer := await message(process.stdout)).get("id") != 1:
            pass
        capabilities = answer["result"]["capabilities"]
        send(method="initialized", params={})
        for name, text in FILES.items():
            send(method="textDocument/didOpen", params={"textDocument": {"uri": f"{uri}/{name}", "languageId": "terraform", "version": 1, "text": text}})
        async with asyncio.timeout(20):
            while True:
                found = await message(process.stdout)
                if found.get("method") == "textDocument/publishDiagnostics":
                    name = found["params"]["uri"].rpartition("/")[2]
                    findings[name] = {d["message"] for d in found["params"]["diagnostics"]}
    except TimeoutError:
        pass
    finally:
        process.kill()
        await process.wait()
    return capabilities, findings


def offers(capabilities, *names):
    return all(capabilities.get(name) for name in names)


ROWS = {
    "a name that is not declared, in `.tf` files": lambda c, f: any("var.b" in m or '"b"' in m for m in f["main.tf"]),
    "the same in `.tofu` files": lambda c, f: any("nosuch" in m for m in f["more.tofu"]),
    "findings of a linter": lambda c, f: any("declared but not used" in m for m in f["main.tf"]),
    "quick fixes": lambda c, f: "quickfix" in c["codeActionProvider"]["codeActionKinds"],
    "rename": lambda c, f: offers(c, "renameProvider"),
    "definition, references, hover, symbols": lambda c, f: offers(c, "definitionProvider", "referencesProvider", "hoverProvider", "documentSymbolProvider", "workspaceSymbolProvider"),
    "highlights, folding, formatting of a range": lambda c, f: offers(c, "documentHighlightProvider", "foldingRangeProvider", "documentRangeFormattingProvider"),
    "completion, help with arguments of functions, colours": lambda c, f: offers(c, "completionProvider", "signatureHelpProvider", "semanticTokensProvider"),
}


@pytest.mark.asyncio
@pytest.mark.skipif("TERRAFORM_LS" not in os.environ, reason="needs TERRAFORM_LS, the path of terraform-ls")
async def test_table(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ours, theirs = await asyncio.gather(
        asked([os.environ["TOFUWIRE"], "lsp"], tmp_path),
        asked([os.environ["TERRAFORM_LS"], "serve"], tmp_path),
    )
    word = {True: "yes", False: "no"}
    rows = [f"| {what} | {word[bool(has(*ours))]} | {word[bool(has(*theirs))]} |" for what, has in ROWS.items()]
    page = PAGE.read_text(encoding="utf-8")
    assert "\n".join(rows) in page
