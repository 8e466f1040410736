# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the policy of docs/opa.md over reports of the program, with an interpreter of Rego that
others keep. TOFUWIRE is the program."""

import json
import os
import pathlib
import re
import subprocess

import pytest
import regopy

PROGRAM = os.environ["TOFUWIRE"]
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "opa.md"
POLICY = re.search(r"```rego\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S).group(1)


def change(address, actions, before, after):
    kind, name = address.split(".")
    return {
        "address": address, "mode": "managed", "type": kind, "name": name,
        "provider_name": "registry.opentofu.org/hashicorp/aws",
        "change": {"actions": actions, "before": before, "after": after, "after_unknown": {} if after else False,
                   "before_sensitive": {} if before else False, "after_sensitive": {} if after else False},
    }


def plan(*changes, **more):
    return {"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": {"root_module": {}},
            "resource_changes": list(changes), "configuration": {"root_module": {}}, "applyable": True, "complete": True, "errored": False, **more}


BUCKET = change("aws_s3_bucket.logs", ["delete"], {"bucket": "logs"}, None)
REPLACED = change("aws_db_instance.main", ["create", "delete"], {"name": "a"}, {"name": "b"})
ENGINE = change("aws_db_instance.main", ["update"], {"engine_version": "15"}, {"engine_version": "16"})
QUEUE = change("aws_sqs_queue.jobs", ["delete"], {"name": "jobs"}, None)


def judged(tmp_path, document, *options):
    """What the policy denies and warns about, for a document."""
    name = tmp_path / "plan.json"
    name.write_text(json.dumps(document), encoding="utf-8")
    run = subprocess.run([PROGRAM, "report", "-format", "json", *options, str(name)], capture_output=True, text=True, cwd=tmp_path, check=False)
    rego = regopy.Interpreter()
    rego.add_module("plans", POLICY)
    rego.set_input(json.loads(run.stdout))

    def rule(which):
        return sorted(json.loads(str(rego.query(f"data.main.{which}")))["expressions"][0])

    return [line.replace(str(name), "PLAN") for line in rule("deny")], rule("warn")


@pytest.mark.parametrize("document, deny, warn", [
    (plan(QUEUE), [], []),
    (plan(BUCKET), ["PLAN: aws_s3_bucket.logs: delete"], []),
    (plan(REPLACED), ["PLAN: aws_db_instance.main: replace"], []),
    (plan(ENGINE), [], ["aws_db_instance.main: the engine changes from 15 to 16"]),
])
def test_changes(tmp_path, document, deny, warn):
    assert judged(tmp_path, document) == (deny, warn)


@pytest.mark.parametrize("document", [
    plan(QUEUE, errored=True, applyable=False),
    plan(QUEUE, complete=False),
    plan(QUEUE, format_version="2.0"),
    plan(change("aws_sqs_queue.jobs", ["evict"], {"name": "jobs"}, None)),
])
def test_not_judgeable(tmp_path, document):
    deny, _ = judged(tmp_path, document)
    assert deny


def test_left_out(tmp_path):
    deny, _ = judged(tmp_path, plan(BUCKET, QUEUE), "-only", "create")
    assert deny == ["PLAN: the report leaves out 2 changes"]
