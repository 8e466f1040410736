#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: configuration read by others.
# Package: python-hcl2 7.2.1 (PyPI).
# Behaviour: an expression is given back as a string in "${...}", but the words true, false and null in it are spelled as Python
# spells them. What is written back is another expression: True is a reference to an object of that name.
# Seen: "${True ? 1 : 2}" for the expression true ? 1 : 2, and "a ${True ? \"y\" : \"n\"} b" for a template.
# Needs: Python.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet python-hcl2==7.2.1
cat >main.tf <<'T'
locals {
  number   = true ? 1 : 2
  template = "a ${true ? "y" : "n"} b"
  constant = true
}
T
cat >read.py <<'P'
import hcl2

with open("main.tf") as f:
    read = hcl2.load(f)["locals"][0]
print(read["number"], read["template"], read["constant"] is True, sep="\n")
P
env/bin/python read.py | tee seen
cat >want <<'W'
${True ? 1 : 2}
a ${True ? "y" : "n"} b
True
W
cmp seen want
