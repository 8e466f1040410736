// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Makes types/KIND.ts of the schemas in SCHEMAS, and documents/KIND.ts, in which the compiler
// checks the recordings in SAMPLES as values of the type of their kind.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { compileFromFile } from "json-schema-to-typescript";

const { SCHEMAS, SAMPLES } = process.env;
if (!SCHEMAS || !SAMPLES) throw new Error("SCHEMAS and SAMPLES are the folders of the schemas and of the recordings");

await mkdir("types", { recursive: true });
await mkdir("documents", { recursive: true });
for (const kind of await readdir(SAMPLES)) {
  const file = `${kind}.schema.json`;
  const types = await compileFromFile(path.join(SCHEMAS, file));
  await writeFile(`types/${kind}.ts`, types);
  // The type of a document has the title of the schema as its name.
  const { title } = JSON.parse(await readFile(path.join(SCHEMAS, file)));
  const name = title.split(" ").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  const texts = await Promise.all((await readdir(path.join(SAMPLES, kind))).map((sample) => readFile(path.join(SAMPLES, kind, sample), "utf8")));
  // Parsed once, because JSON may name a member twice and TypeScript may not.
  const values = texts.map((text) => JSON.stringify(JSON.parse(text)));
  await writeFile(`documents/${kind}.ts`, `import type { ${name} } from "../types/${kind}.js";\n\nexport const documents: ${name}[] = [\n${values.join(",\n")},\n];\n`);
}
