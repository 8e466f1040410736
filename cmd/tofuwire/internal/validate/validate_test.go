// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/validate"
)

func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestValidate(t *testing.T) {
	dir := write(t, map[string]string{
		"root/main.tf":    "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
		"m/main.tf":       "variable \"x\" {\n  type = list(string)\n}\noutput \"o\" {\n  value = local.nope\n}\n",
		"good/main.tf":    "resource \"terraform_data\" \"a\" {\n  input = terraform_data.b.id\n}\nresource \"terraform_data\" \"b\" {}\n",
		"new/main.tf":     "locals {\n  a = cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")\n}\n",
		"aws/main.tf":     "resource \"aws_x\" \"a\" {\n  nme = [1]\n}\n",
		"pinned/main.tf":  "terraform {\n  required_version = \"~> 1.3.0\"\n}\n",
		"caller/main.tf":  "terraform {\n  required_version = \">= 1.9\"\n}\nmodule \"m\" {\n  source = \"../checked\"\n}\n",
		"checked/main.tf": "check \"c\" {\n  assert {\n    condition     = timestamp() != \"\"\n    error_message = \"No.\"\n  }\n}\n",
		"schemas.json":    `{"provider_schemas":{"registry.opentofu.org/hashicorp/aws":{"resource_schemas":{"aws_x":{"block":{"attributes":{"name":{"type":"string","required":true}}}}}}}}`,
		"twice/main.tf":   "locals {\n  a = 1\n  a = 2\n}\n",
		"schemas2.json":   `{"provider_schemas":`,
		"script/main.tf":  "resource \"terraform_data\" \"a\" {\n  connection {\n    host       = \"x\"\n    proxy_host = \"y\"\n  }\n  provisioner \"remote-exec\" {\n  }\n}\n",
	})
	for _, c := range []struct {
		args, want string
		exit       int
		old        bool // standard error says that the rules are not those of the release
	}{
		{args: "root", exit: 1, want: "../m/main.tf:1,1: error: Invalid value for input variable; The given value is not suitable for var.x declared at ../m/main.tf:1,1-13: list of string required, but have number.\n../m/main.tf:5,11: error: Reference to undeclared local value; A local value with the name \"nope\" has not been declared.\n"},
		{args: "-tool terraform -format text root", exit: 1, want: "../m/main.tf:5,11: error: Reference to undeclared local value; A local value with the name \"nope\" has not been declared.\nmain.tf:3,12: error: Invalid value for input variable; The given value is not suitable for var.x declared at ../m/main.tf:1,1-13: list of string required, but have number.\n"},
		{args: "good"},
		{args: "aws"},
		{args: "-schemas schemas.json aws", exit: 1, want: "main.tf:1,22: error: Missing required argument; The argument \"name\" is required, but no definition was found.\nmain.tf:2,3: error: Unsupported argument; An argument named \"nme\" is not expected here. Did you mean \"name\"?\n"},
		{args: "-kits aws", exit: 2},
		{args: "twice", exit: 1, want: "main.tf:3,3: error: Attribute redefined; The argument \"a\" was already set at main.tf:2,3-4. Each argument may be set only once.\n"},
		{args: "-schemas schemas2.json aws", exit: 2},
		{args: "-schemas none.json aws", exit: 2},
		{args: "-tool pulumi aws", exit: 2},
		{args: "-tool tofu@1.9.0 good", exit: 2},
		{args: "-release x good", exit: 2},
		{args: "-release 1.5 good", exit: 2},  // no release of OpenTofu
		{args: "-release 1.99 good", exit: 2}, // not yet known
		{args: "-release 1.9 good"},
		{args: "-tool terraform -release 1.5 good"},
		{args: "-tool terraform -release 1.3 pinned", old: true},
		{args: "-tool terraform -release 1.3 good", old: true, exit: 1, want: "main.tf:1,10: error: Unsupported language feature; Terraform 1.3 does not have it: resource type terraform_data: any OpenTofu; Terraform >= 1.4.\nmain.tf:4,10: error: Unsupported language feature; Terraform 1.3 does not have it: resource type terraform_data: any OpenTofu; Terraform >= 1.4.\n"},
		{args: "-tool terraform -release 1.4 caller", old: true, exit: 1, want: "../checked/main.tf:1,1: error: Unsupported language feature; Terraform 1.4 does not have it: check block: any OpenTofu; Terraform >= 1.5.\n" +
			"../checked/main.tf:1,1: error: Zero assert blocks; At least 1 block of type \"assert\" is required here.\n../checked/main.tf:3,21: error: Invalid assert expression; The condition must refer to at least one object, or its result would not be checking anything.\n"},
		{args: "-format yaml good", exit: 2},
		{args: "new"},
		{args: "-release 1.6 new", exit: 1, want: "main.tf:2,7: error: Call to unknown function; There is no function named \"cidrcontains\".\n"},
		{args: "-release 1.6 -format json new", exit: 1, want: newJSON},
		{args: "-format json script", exit: 1, want: scriptJSON},
		{args: "-needs -v script", want: "opentofu >= 1.6\nterraform >= 1.4\nterraform >= 1.4: main.tf:1,10: resource type terraform_data\nterraform >= 1.2: main.tf:4,5: argument proxy_host of connection\n"},
		{args: "-needs new", want: "opentofu >= 1.7\nterraform none\n"},
		{args: "-needs -v new", want: "opentofu >= 1.7\nterraform none\nopentofu >= 1.7: main.tf:2,7: function cidrcontains\nterraform none: main.tf:2,7: function cidrcontains\n"},
		{args: "-needs root", want: "opentofu >= 1.6\nterraform >= 1.0\n"},
		{args: "-needs -v caller", want: "opentofu >= 1.6\nterraform >= 1.5\nterraform >= 1.5: ../checked/main.tf:1,1: check block\n"},
		{args: "-needs none", exit: 2},
		{args: "-needs -tool tofu new", exit: 2},
		{args: "-v new", exit: 2},
		{args: "none", exit: 2},
		{args: "", exit: 2},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Chdir(dir)
			var out, errs strings.Builder
			code := validate.Run(strings.Fields(c.args), nil, &out, &errs)
			if diff := cmp.Diff(c.want, out.String()); diff != "" || code != c.exit || (code == 2 || c.old) != (errs.Len() > 0) {
				t.Errorf("exit %d (-want +got):\n%s\n%s", code, diff, errs.String())
			}
			if strings.Contains(c.args, "schemas2") && !strings.Contains(errs.String(), "schemas2.json: ") {
				t.Error(errs.String())
			}
		})
	}
}

// scriptJSON has no place, as that of the tools.
const scriptJSON = `{
  "format_version": "1.0",
  "valid": false,
  "error_count": 1,
  "warning_count": 0,
  "diagnostics": [
    {
      "severity": "error",
      "summary": "Invalid remote-exec provisioner configuration",
      "detail": "Only one of \"inline\", \"script\", or \"scripts\" must be set"
    }
  ]
}
`

// newJSON has the form of what OpenTofu 1.6 prints.
const newJSON = `{
  "format_version": "1.0",
  "valid": false,
  "error_count": 1,
  "warning_count": 0,
  "diagnostics": [
    {
      "severity": "error",
      "summary": "Call to unknown function",
      "detail": "There is no function named \"cidrcontains\".",
      "range": {
        "filename": "main.tf",
        "start": {
          "line": 2,
          "column": 7,
          "byte": 15
        },
        "end": {
          "line": 2,
          "column": 19,
          "byte": 27
        }
      },
      "snippet": {
        "context": "locals",
        "code": "  a = cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")",
        "start_line": 2,
        "highlight_start_offset": 6,
        "highlight_end_offset": 18,
        "values": []
      }
    }
  ]
}
`

// TestSARIF has the places from the root of the repository, and a rule for each summary.
func TestSARIF(t *testing.T) {
	dir := write(t, map[string]string{".git/x": "", "a b/main.tf": "/* \U0001F600 */ locals {\n  a = local.x\n}\noutput \"o\" {\n  x = 1\n}\n", "good/main.tf": "locals {\n  a = 1\n}\n", "bad/main.tf": "locals {\n"})
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	for _, c := range []struct {
		dir, rule, uri string
		exit           int
	}{{"a b", "unsupported-argument", "a%20b/main.tf", 1}, {"good", "", "", 0}, {"bad", "unclosed-configuration-block", "bad/main.tf", 1}} {
		var out, errs strings.Builder
		if exit := validate.Run([]string{"-format", "sarif", filepath.Join(dir, c.dir)}, nil, &out, &errs); exit != c.exit {
			t.Errorf("%s: exit %d, %s", c.dir, exit, errs.String())
		}
		log.Runs = nil
		if err := json.Unmarshal([]byte(out.String()), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
			t.Fatalf("%v\n%s", err, out.String())
		}
		run, found := log.Runs[0], c.rule == "" && len(log.Runs[0].Results) == 0
		for _, r := range run.Results {
			found = found || r.RuleID == c.rule && run.Tool.Driver.Rules[r.RuleIndex].ID == c.rule && r.Locations[0].PhysicalLocation.ArtifactLocation.URI == c.uri
		}
		if !found {
			t.Errorf("%s: %s", c.dir, out.String())
		}
	}
}
