// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Reads a flowchart from standard input with Mermaid's own parser, and prints the texts of its
// nodes as a JSON array, as a page would show them. Mermaid and jsdom are in the folder
// NODE_MODULES.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.NODE_MODULES, "x.js"));
const { JSDOM } = require("jsdom");
const { window } = new JSDOM("<body></body>", { pretendToBeVisual: true });
globalThis.window = window;
globalThis.document = window.document;
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });

const { default: mermaid } = await import(pathToFileURL(join(process.env.NODE_MODULES, "mermaid/dist/mermaid.core.mjs")));
mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
const diagram = await mermaid.mermaidAPI.getDiagramFromText(readFileSync(0, "utf8"));

// Mermaid hides references from its parser, and shows the rest of a text as HTML.
const shown = (text) => {
  const body = window.document.createElement("body");
  body.innerHTML = text.replace(/ﬂ°°/g, "&#").replace(/ﬂ°/g, "&").replace(/¶ß/g, ";");
  return body.textContent;
};
console.log(JSON.stringify([...diagram.db.getVertices().values()].map((v) => shown(v.text))));
