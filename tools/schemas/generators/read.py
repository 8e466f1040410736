# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""read.py MODULE TITLE IN OUT reads the files in IN with the types in MODULE, and writes them to OUT."""

import importlib
import json
import pathlib
import sys

module, title, start, end = sys.argv[1:]
sys.path.insert(0, ".")
types = importlib.import_module(module)
name = title.lower().replace(" ", "_")
out = pathlib.Path(end)
out.mkdir(parents=True, exist_ok=True)
for file in pathlib.Path(start).iterdir():
    try:
        document = getattr(types, name + "_from_dict")(json.loads(file.read_text(encoding="utf-8")))
        (out / file.name).write_text(json.dumps(getattr(types, name + "_to_dict")(document)), encoding="utf-8")
    except Exception as e:  # whatever a generated type raises
        (out / (file.name + ".error")).write_text(f"{type(e).__name__}: {e}")
