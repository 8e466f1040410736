# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0

"""check.py TOFUWIRE [TOFU] asks the provider beside it, which a kit in Python serves, for its schemas with
"tofuwire schemas" and compares them with schemas.json, and with what TOFU prints if it is given. Python is
the one that runs this file, with the packages of requirements.txt."""

import os
import pathlib
import platform
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
tofuwire = sys.argv[1]
address = "registry.opentofu.org/example/petty"
machine = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), platform.machine())
system = platform.system().lower() + "_" + machine

with tempfile.TemporaryDirectory() as tmp:
    work, mirror = pathlib.Path(tmp, "work"), pathlib.Path(tmp, "mirror")
    package = mirror / address / "1.0.0" / system
    work.mkdir()
    package.mkdir(parents=True)
    program = package / "terraform-provider-petty_v1.0.0"
    program.write_text(f"#!{sys.executable}\n" + (here / "terraform-provider-petty").read_text())
    program.chmod(0o755)
    h1 = subprocess.run([tofuwire, "hash", package], check=True, capture_output=True, text=True).stdout.split()[0]
    (work / ".terraform.lock.hcl").write_text(f'provider "{address}" {{\n  version = "1.0.0"\n  hashes = [\n    "{h1}",\n  ]\n}}\n')
    (work / "main.tf").write_text('terraform {\n  required_providers {\n    petty = { source = "example/petty" }\n  }\n}\n')
    run = subprocess.run([tofuwire, "schemas", "-mirror", mirror, work], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    got = run.stdout
    for left in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(program) in left.read_text():
                sys.exit(f"the provider still runs: {left}")
        except OSError:
            pass
    want = {"schemas.json": (here / "schemas.json").read_text()}
    if len(sys.argv) > 2:
        (work / "cli.tfrc").write_text(f'provider_installation {{\n  filesystem_mirror {{\n    path = "{mirror}"\n  }}\n}}\n')
        env = dict(os.environ, TF_CLI_CONFIG_FILE=str(work / "cli.tfrc"))
        subprocess.run([sys.argv[2], "init", "-no-color"], cwd=work, env=env, check=True, capture_output=True)
        want[sys.argv[2]] = subprocess.run([sys.argv[2], "providers", "schema", "-json"], cwd=work, env=env, check=True, capture_output=True, text=True).stdout
    for name, text in want.items():
        if got != text:
            sys.exit(f"{name} differs:\n{text}\ntofuwire schemas:\n{got}")
        print(f"the same as {name}: {len(text)} bytes")
