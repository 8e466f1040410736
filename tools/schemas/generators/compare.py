# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""compare.py SAMPLES OUT compares the documents below SAMPLES with what generated types have made
of them below OUT, and prints a line for each generator: how many were read, and what was lost."""

import collections
import decimal
import json
import pathlib
import sys

samples, out = map(pathlib.Path, sys.argv[1:])


def load(path):
    return json.loads(path.read_text(encoding="utf-8"), parse_float=decimal.Decimal, parse_int=decimal.Decimal)


def losses(was, now):
    """Yields what kinds of things were lost between two values."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in was.keys() | now.keys():
            if name not in now:
                yield "null is absent" if was[name] is None else "an empty value is absent" if was[name] in ({}, [], "", False, 0) else f"member {name}"
            elif name not in was:
                yield "absent is null" if now[name] is None else "absent is an empty value"
            else:
                yield from losses(was[name], now[name])
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for a, b in zip(was, now):
            yield from losses(a, b)
    elif was != now:
        yield "digits of numbers" if isinstance(was, decimal.Decimal) and isinstance(now, decimal.Decimal) else "another value"


failed = False
for generator in sorted(out.iterdir()):
    read, total, lost = 0, 0, collections.Counter()
    for file in sorted(generator.glob("*/*")):
        total += 1
        if file.suffix == ".error":
            failed = True
            print(f"{generator.name}: {file.parent.name}/{file.stem}: {file.read_text()[:300]}")
            continue
        read += 1
        lost.update(set(losses(load(samples / file.parent.name / file.name), load(file))))
    print(f"{generator.name}: {read} of {total} documents read; lost in so many: {dict(lost.most_common())}")
sys.exit(failed)
