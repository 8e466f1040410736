// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// read.js MODULE TYPE IN OUT reads the files in IN with the types in MODULE, and writes them to OUT.

const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");

const [module_, type, from, to] = process.argv.slice(2);
const { Convert } = require(module_);
mkdirSync(to, { recursive: true });
for (const file of readdirSync(from)) {
  try {
    const document = Convert["to" + type](readFileSync(`${from}/${file}`, "utf8"));
    writeFileSync(`${to}/${file}`, Convert[type[0].toLowerCase() + type.slice(1) + "ToJson"](document));
  } catch (e) {
    writeFileSync(`${to}/${file}.error`, String(e.message));
  }
}
