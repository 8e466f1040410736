// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A validated is a line of testdata/validate.jsonl: a file, and the summaries of
// what Terraform 1.11.4 said of it as the only one of a module.
type validated struct {
	File     string
	Src      string
	Errors   []string
	Warnings []string
}

// beyondValidate has the errors of Terraform that Validate does not find: it knows no
// schemas, resolves no references and runs no program.
var beyondValidate = []string{
	// What has to be installed, or is not there.
	"Module not installed", "Missing required provider", "Missing required provisioner plugin", `The "chef" provisioner has been removed`,
	"Unsupported Terraform Core version", "Provider configuration not present", "Unknown provider function", "Call to unknown function",
	// Schemas.
	"Missing required argument", "Unsupported attribute", "Invalid ephemeral resource", "Extraneous JSON object property",
	// References and evaluation.
	"Reference to undeclared resource", "Reference to undeclared module", "Reference to undeclared input variable", "Reference to undeclared local value",
	`Reference to "each" in context without for_each`, "Invalid reference", "Reserved symbol name", `Invalid "self" reference`, "Unknown variable",
	`Invalid "path" attribute`, `Invalid "terraform" attribute`, "Invalid reference from destroy provisioner", "Invalid depends_on reference",
	"Invalid import id argument", "Invalid import 'to' expression", "Invalid import provider argument", "Ephemeral output not allowed",
	"Configuration for import target does not exist", `Duplicate import configuration for "terraform_data.x"`,
	// Terraform's experiments and editions, and what later releases of
	// Terraform have: the package knows up to 1.15.
	"Module uses experimental features", "Unsupported language edition", "Unsupported argument", "Unsupported block type",
	"Unsuitable value type", "Variables not allowed",
}

// inOtherWords has the errors for which Validate has other words.
var inOtherWords = map[string][]string{
	"Extraneous data after value":                               {"Invalid JSON"},
	"Incorrect JSON value type":                                 {"Invalid JSON"},
	"Invalid JSON keyword":                                      {"Invalid JSON"},
	"Invalid JSON number":                                       {"Invalid JSON"},
	"Invalid JSON string":                                       {"Invalid JSON"},
	"Root value must be object":                                 {"Invalid JSON"},
	"Duplicate attribute definition":                            {"Duplicate argument"},
	"Duplicate object attribute":                                {"Invalid value"},
	"Extraneous JSON object property":                           {"Unsupported block type"},
	"Function calls not allowed":                                {"Invalid type specification"},
	"Incorrect value type":                                      {"Invalid count argument"},
	"Invalid character":                                         {"Invalid provider configuration reference"},
	"Invalid legacy variable type hint":                         {"Invalid quoted type constraints"},
	"Invalid provider type":                                     {"Invalid provider source"},
	"Invalid required_providers block":                          {"Unsupported block type"},
	"Missing required argument":                                 {"Invalid import block"},
	"Missing required provider":                                 {"Unsupported block type", "Provider configuration not present"},
	"Module not installed":                                      {"Unsupported block type", "Unreadable module directory"},
	"Configuration for import target does not exist":            {"Invalid expression"},
	"Reserved argument name in provider block":                  {"Unsupported argument"},
	"Reserved block type name in module block":                  {"Unsupported block type"},
	"Invalid default value for optional attribute":              {"Invalid type specification"},
	"Invalid each reference in replace_triggered_by expression": {"Invalid reference in replace_triggered_by expression"},
}

// TestValidateAsTerraform compares Validate with "terraform validate -json": what
// Terraform accepts has no errors and the same warnings, and what it refuses
// before it evaluates anything is refused.
func TestValidateAsTerraform(t *testing.T) {
	f, err := os.Open("../testdata/validate.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var want validated
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		tree, err := hclnames.LoadTree(files(map[string]string{want.File: want.Src}), ".", at(hclconfig.Terraform, "1.11.4"))
		if err != nil {
			t.Fatal(err)
		}
		var errors, warnings []string
		for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
			if d.Severity == hclconfig.SeverityWarning {
				warnings = append(warnings, d.Summary)
			} else {
				errors = append(errors, d.Summary)
			}
		}
		if want.Errors == nil {
			slices.Sort(warnings)
			if diff := cmp.Diff(want.Warnings, slices.Compact(warnings)); errors != nil || diff != "" {
				t.Errorf("%q: errors %q, warnings (-terraform +ours):\n%s", want.Src, errors, diff)
			}
			continue
		}
		known := slices.ContainsFunc(want.Errors, func(s string) bool {
			return slices.Contains(errors, s) || slices.ContainsFunc(inOtherWords[s], func(o string) bool { return slices.Contains(errors, o) })
		})
		beyond := !slices.ContainsFunc(want.Errors, func(s string) bool { return !slices.Contains(beyondValidate, s) })
		if !known && !(beyond && errors == nil) {
			t.Errorf("%q:\nterraform %q\nours %q", want.Src, want.Errors, errors)
		}
	}
	if n < 600 {
		t.Errorf("only %d files", n)
	}
}

// TestBrokenJSONStrings: a file that ends or has a fault anywhere in a string with
// escapes is an error with a place.
func TestBrokenJSONStrings(t *testing.T) {
	const text = `{"locals": {"a": "x\"y\u00e4\\ ${upper(\"z\")}\n"}}`
	for i := range text {
		for _, broken := range []string{text[:i], text[:i] + "\n" + text[i+1:], text[:i] + "\\" + text[i+1:], text[:i] + "\xff" + text[i+1:]} {
			tree, err := hclnames.LoadTree(files(map[string]string{"a.tf.json": broken}), ".")
			if err != nil {
				t.Fatal(err)
			}
			_, err = hclconfig.Parse("a.tf.json", []byte(broken))
			diags := hclcheck.Validate(tree, hclcheck.Validation{})
			if err != nil && !diags.HasErrors() {
				t.Errorf("%q: the error %v, but no diagnostics", broken, err)
			}
			for _, d := range diags {
				if d.Subject.Filename == "" || int(d.Subject.Start.Offset) > len(broken) {
					t.Errorf("%q: no place: %v", broken, d)
				}
			}
		}
	}
}

// TestNothing: nil has no faults.
func TestNothing(t *testing.T) {
	for what, diags := range map[string]hclconfig.Diagnostics{
		"no tree":                hclcheck.Validate(nil, hclcheck.Validation{Plan: true}),
		"a tree without modules": hclcheck.Validate(&hclnames.Tree{}, hclcheck.Validation{}),
		"no file":                hclcheck.ValidateFile(nil),
		"no module":              hclcheck.ValidateModule(nil),
	} {
		if diags != nil {
			t.Errorf("%s: %v", what, diags)
		}
	}
}
