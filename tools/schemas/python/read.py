# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""Makes pydantic models of the schemas in SCHEMAS, reads the recordings in SAMPLES with
them, and writes them back: nothing may be lost."""

import importlib
import json
import os
import pathlib
import subprocess
import sys

schemas = pathlib.Path(os.environ["SCHEMAS"])
samples = pathlib.Path(os.environ["SAMPLES"])
models = pathlib.Path("models").absolute()
models.mkdir(exist_ok=True)
sys.path.insert(0, str(models))

# A few members of each kind: names, addresses, texts. What has no function here is
# read and written all the same.
readers = {
    "plan": lambda p: [f"{c.address} {','.join(c.change.actions)}" for c in p.resource_changes or []],
    "state": lambda s: [r.address for r in (s.values and s.values.root_module and s.values.root_module.resources) or []],
    "statefile": lambda s: [f"{r.type}.{r.name}" for r in s.resources],
    "validate": lambda v: [f"{d.severity} {d.summary}" for d in v.diagnostics],
    "version": lambda v: [v.terraform_version],
    "ui": lambda m: [f"{m.field_level} {m.type}"],
}

for kind in sorted(folder.name for folder in samples.iterdir()):
    schema = schemas / f"{kind}.schema.json"
    module = kind.replace("-", "_")
    subprocess.run(
        [sys.executable, "-m", "datamodel_code_generator", "--input", schema, "--input-file-type", "jsonschema",
         "--output", models / f"{module}.py", "--output-model-type", "pydantic_v2.BaseModel",
         "--allow-extra-fields", "--use-annotated", "--use-subclass-enum", "--formatters", "builtin"],
        check=True,
    )
    # The model of a document has the title of the schema as its name.
    title = json.loads(schema.read_text())["title"]
    model = getattr(importlib.import_module(module), "".join(word[0].upper() + word[1:] for word in title.split()))
    found = []
    files = sorted((samples / kind).iterdir())
    for file in files:
        text = file.read_text(encoding="utf-8")
        document = model.model_validate_json(text)
        if document.model_dump(by_alias=True, exclude_unset=True) != json.loads(text):
            sys.exit(f"{file}: something was lost")
        found += readers.get(kind, lambda d: [type(d).__name__])(document)
    if not found:
        sys.exit(f"{kind}: nothing was found")
    print(f"{kind}: {len(files)} documents, {len(found)} found, such as {found[-1]}")
