// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Reads the recordings in SAMPLES with the generated types, a few members of each kind.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BackendFile } from "./types/backend.js";
import type { Configuration } from "./types/config.js";
import type { EncryptedStateOrPlan } from "./types/envelope.js";
import type { Functions } from "./types/functions.js";
import type { InstalledModules } from "./types/installed-modules.js";
import type { LockOfAState } from "./types/lock-info.js";
import type { Modules } from "./types/modules.js";
import type { Outputs } from "./types/output.js";
import type { Plan } from "./types/plan.js";
import type { ReportOfPlans } from "./types/report.js";
import type { ProviderSchemas } from "./types/schemas.js";
import type { ResourceInstance } from "./types/state-show.js";
import type { State } from "./types/state.js";
import type { EncryptedStateFile } from "./types/statefile-encrypted.js";
import type { StateFile } from "./types/statefile.js";
import type { ConfigurationFile } from "./types/tf.js";
import type { TestFile } from "./types/tftest.js";
import type { Message } from "./types/ui.js";
import type { Validation } from "./types/validate.js";
import type { Version } from "./types/version.js";
import type { Workspaces } from "./types/workspaces.js";

// Each function returns what it has found in a document: names, addresses, texts.
const readers = {
  backend: (b: BackendFile) => [b.backend?.type ?? "local"],
  config: (c: Configuration) => Object.keys(c.root_module?.variables ?? {}),
  envelope: (e: EncryptedStateOrPlan) => Object.keys(e.meta),
  functions: (f: Functions) => Object.entries(f.function_signatures ?? {}).map(([name, f]) => `${name} ${f.return_type}`),
  "installed-modules": (m: InstalledModules) => (m.Modules ?? []).map((call) => `${call.Key} ${call.Dir}`),
  "lock-info": (l: LockOfAState) => [`${l.Operation} ${l.Who}`],
  modules: (m: Modules) => (m.modules ?? []).map((call) => `${call.key} ${call.source}`),
  output: (o: Outputs) => Object.keys(o),
  plan: (p: Plan) => (p.resource_changes ?? []).map((c) => `${c.address} ${c.change.actions.join()} ${c.action_reason ?? ""}`),
  report: (r: ReportOfPlans) => r.plans.flatMap((p) => p.resources.map((c) => `${c.address} ${c.class}`)),
  schemas: (s: ProviderSchemas) => Object.values(s.provider_schemas ?? {}).flatMap((p) => Object.keys(p.resource_schemas ?? {})),
  "state-show": (s: ResourceInstance) => Object.keys(s),
  state: (s: State) => (s.values?.root_module?.resources ?? []).map((r) => `${r.address} ${r.mode}`),
  "statefile-encrypted": (s: EncryptedStateFile) => [s.encryption_version],
  statefile: (s: StateFile) => s.resources.flatMap((r) => r.instances.map((i) => `${r.type}.${r.name} ${i.status ?? ""}`)),
  tf: (f: ConfigurationFile) => (Array.isArray(f) ? f : [f]).flatMap((f) => Object.keys(f)),
  tftest: (f: TestFile) => (Array.isArray(f) ? f : [f]).flatMap((f) => Object.keys(f.run ?? {})),
  ui: (m: Message) => [`${m["@level"]} ${m.type ?? ""} ${m.hook?.resource?.addr ?? m.diagnostic?.summary ?? ""}`],
  validate: (v: Validation) => v.diagnostics.map((d) => `${d.severity} ${d.summary} ${d.range?.start.line ?? ""}`),
  version: (v: Version) => [v.terraform_version, ...Object.keys(v.provider_selections)],
  workspaces: (w: Workspaces) => w.workspaces.map((w) => w.name),
};

const { SAMPLES } = process.env;
if (!SAMPLES) throw new Error("SAMPLES is the folder of the recordings");

// What JSON.parse returns has no type: this is where a program says which it is.
function read<T>(kind: string, reader: (document: T) => string[]): void {
  const files = readdirSync(path.join(SAMPLES!, kind));
  const found = files.flatMap((file) => reader(JSON.parse(readFileSync(path.join(SAMPLES!, kind, file), "utf8")) as T));
  console.log(`${kind}: ${files.length} documents, ${found.length} found, such as ${found.at(-1)}`);
  if (found.length === 0 || found.some((text) => text === undefined || text.includes("undefined"))) {
    throw new Error(`${kind}: ${JSON.stringify(found)}`);
  }
}

for (const kind of readdirSync(SAMPLES)) {
  read<never>(kind, readers[kind as keyof typeof readers]);
}
