// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// read.cjs DIR reads the JUnit reports in DIR with test-results-parser, and checks that no case, failure or
// character is lost.

const { readdirSync, readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { parse } = createRequire(`${process.cwd()}/`)("test-results-parser");

const dir = process.argv[2];
let cases = 0;
let failures = 0;
const files = readdirSync(dir).filter((name) => name.endsWith(".xml"));
for (const file of files) {
  const text = readFileSync(`${dir}/${file}`, "utf8");
  const count = (pattern) => (text.match(pattern) ?? []).length;
  const [all, failed, skipped] = [count(/<testcase /g), count(/<(failure|error)[ >]/g), count(/<skipped[ >]/g)];
  const got = parse({ type: "junit", files: [`${dir}/${file}`] });
  cases += all;
  if (got.total + skipped !== all || got.failed + got.errors !== failed || /&#|&quot;|&lt;|\[object/.test(JSON.stringify(got))) {
    failures++;
    console.log(`${file}: ${all} cases, ${failed} failed, ${skipped} skipped; read ${JSON.stringify(got).slice(0, 500)}`);
  }
}
console.log(`JUnit: ${files.length} reports with ${cases} cases, ${failures} misread`);
process.exitCode = failures || !cases ? 1 : 0;
