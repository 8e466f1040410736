// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A verdict is a line of a file in testdata/meaning or of testdata/plan.jsonl: a module, and
// what the validate or the plan of real programs said of it. Command tools/verdict records them.
type verdict struct {
	Name     string
	Files    map[string]string
	Verdicts map[string][]struct{ At, Severity, Summary string }
}

// readVerdicts reads the lines of the files in testdata that match a pattern.
func readVerdicts(t testing.TB, pattern string) []verdict {
	names, err := filepath.Glob(filepath.Join("../testdata", pattern))
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	var out []verdict
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(src) {
			var v verdict
			if err := json.Unmarshal(line, &v); err != nil {
				t.Fatal(name, err)
			}
			out = append(out, v)
		}
	}
	return out
}

// knownDifferences has the modules of which we say something else than one of the
// programs, each with the reason. Those that end in ", json" are the same modules
// in JSON.
var knownDifferences = map[string]string{
	"two names of one provider": "the place of one of two, by chance",
	"deprecated input":          "a warning of Terraform 1.15",
}

// planDifferences has the same for plans.
var planDifferences = map[string]string{
	"self of an instance, computed number of instances": "depends on the value of a variable",
	"moved count from variable":                         "depends on the value of a variable",
	"required variable":                                 "depends on the value of a variable",
	"default fails validation":                          "depends on the value of a variable",
	"import unknown id":                                 "depends on the state",
	"import unknown id of self":                         "depends on the state",
	"count unknown":                                     "depends on the state",
	"for_each unknown":                                  "depends on the state",
	"count of module unknown":                           "depends on the state",
}

// TestVerdicts compares what Tree.Validate says with what real programs said: the
// same errors at the same places with the same summaries.
func TestVerdicts(t *testing.T) {
	compareVerdicts(t, "meaning/*.jsonl", hclcheck.Validation{}, knownDifferences)
}

// TestPlanVerdicts does so with the errors of plans without a state, and checks that
// they are of that level only.
func TestPlanVerdicts(t *testing.T) {
	compareVerdicts(t, "plan.jsonl", hclcheck.Validation{Plan: true}, planDifferences)
	only := 0
	for _, c := range readVerdicts(t, "plan.jsonl") {
		tree, err := hclnames.LoadTree(files(c.Files), ".")
		if err != nil {
			t.Fatal(err)
		}
		valid, planned := hclcheck.Validate(tree, hclcheck.Validation{}), hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
		switch {
		case valid.HasErrors() && !slices.Equal(valid, planned):
			t.Errorf("%s: the plan's checks were made of a module that is not valid", c.Name)
		case !valid.HasErrors() && planned.HasErrors():
			only++
		}
	}
	if only < 150 {
		t.Errorf("only the plan refuses %d modules", only)
	}
}

// TestManyMoves: cycles of more moves than are compared in pairs are found along their
// addresses, and instances that are too many are not told apart.
func TestManyMoves(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "moved {\n  from = terraform_data.a[%d]\n  to   = terraform_data.b[%[1]d]\n}\n", i)
	}
	b.WriteString("moved {\n  from = terraform_data.b[7]\n  to   = terraform_data.a[7]\n}\n")
	b.WriteString("module \"m\" {\n  source = \"./m\"\n  count  = 4000000000\n}\n")
	tree, err := hclnames.LoadTree(files(map[string]string{"main.tf": b.String(), "m/main.tf": "resource \"terraform_data\" \"a\" {\n  count = 1000000000\n  input = terraform_data.a[3].id\n}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.a\n}\n"}), ".")
	if err != nil {
		t.Fatal(err)
	}
	diags := hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
	if len(diags) != 1 || diags[0].Summary != "Cyclic dependency in move statements" || !strings.Contains(diags[0].Detail, "terraform_data.b[7] -> terraform_data.a[7]") {
		t.Errorf("%v", diags)
	}
}

// TestSchemaVerdicts does so with the schemas of a provider.
func TestSchemaVerdicts(t *testing.T) {
	src, err := os.ReadFile("../testdata/lab-schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]map[string]json.RawMessage
	_ = json.Unmarshal(src, &doc) // format_version is a string
	all := doc["provider_schemas"]
	for name, text := range all {
		all[strings.Replace(name, "registry.opentofu.org", "registry.terraform.io", 1)] = text // where Terraform looks
	}
	if src, err = json.Marshal(map[string]any{"provider_schemas": all}); err != nil {
		t.Fatal(err)
	}
	schemas, err := hclconfig.DecodeSchemas(src)
	if err != nil {
		t.Fatal(err)
	}
	compareVerdicts(t, "schemas.jsonl", hclcheck.Validation{Schemas: schemas}, nil)
	for _, c := range readVerdicts(t, "schemas.jsonl") {
		tree, err := hclnames.LoadTree(files(c.Files), ".")
		if err != nil {
			t.Fatal(err)
		}
		refused := slices.ContainsFunc(c.Verdicts["tofu-1.12.6"], func(d struct{ At, Severity, Summary string }) bool { return d.Severity == "error" })
		if diags := hclcheck.Validate(tree, hclcheck.Validation{}); diags.HasErrors() && !refused {
			t.Errorf("%s: without schemas: %v", c.Name, diags)
		}
		// The provider was made without a kit.
		plain := hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas})
		if diags := hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas, Kits: true}); !slices.Equal(diags, plain) {
			t.Errorf("%s: kits say something: %v, want %v", c.Name, diags, plain)
		}
	}
}

func compareVerdicts(t *testing.T, file string, validation hclcheck.Validation, knownDifferences map[string]string) {
	same, total, differs := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, c := range readVerdicts(t, file) {
		for tool, want := range c.Verdicts {
			name, release, _ := strings.Cut(tool, "-")
			total[tool]++
			t.Run(c.Name+"/"+tool, func(t *testing.T) {
				fsys := fstest.MapFS{}
				for file, text := range c.Files {
					fsys[file] = &fstest.MapFile{Data: []byte(text)}
				}
				dialect := hclconfig.OpenTofu
				if name == "terraform" {
					dialect = hclconfig.Terraform
				}
				if v, err := addrs.ParseVersion(release); err == nil {
					dialect = dialect.At(v)
				}
				refused := false // warnings are compared where there are no errors
				for _, d := range want {
					refused = refused || d.Severity == "error"
				}
				var wantErrors, got []string
				for _, d := range want {
					// The programs also say of a reference without a name
					// that the empty name is not declared, at no place, and after some
					// errors that the address is none.
					at := strings.TrimPrefix(d.At, ":0,0")
					if (at == d.At || len(want) == 1) && (d.Severity == "error" || !refused) {
						wantErrors = append(wantErrors, at+" "+d.Summary)
					}
				}
				workspace := hclconfig.Workspace("default")
				if fsys[".terraform/environment"] != nil {
					workspace = ""
				}
				tree, err := hclnames.LoadTree(fsys, ".", dialect, hclconfig.TestDirectory(""), workspace)
				if err != nil {
					got = append(got, err.Error())
				} else {
					for _, d := range hclcheck.Validate(tree, validation) {
						if refused && d.Severity != hclconfig.SeverityError {
							continue
						}
						if d.Summary == "Attribute Deprecated" || d.Summary == "Block Deprecated" || d.Summary == "Argument is deprecated" {
							continue // which programs leave to providers, and this provider does not say
						}
						at := fmt.Sprintf("%s:%d,%d", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column)
						if strings.HasPrefix(d.Summary, "Cycle: ") {
							at, d.Summary = "", "Cycle: " // the programs know no place, and name more than one way around
						}
						if slices.Contains(wantErrors, " "+d.Summary) {
							at = "" // the program knows no place
						}
						got = append(got, at+" "+d.Summary)
					}
				}
				slices.Sort(wantErrors)
				slices.Sort(got)
				wantErrors, got = slices.Compact(wantErrors), slices.Compact(got)
				if slices.Equal(wantErrors, got) {
					same[tool]++
					return
				}
				if known := strings.TrimSuffix(c.Name, ", json"); knownDifferences[known] != "" {
					differs[known] = true
					return
				}
				t.Errorf("%s: %s:\n%s", tool, c.Name, difflines(wantErrors, got))
			})
		}
	}
	for name := range knownDifferences {
		if !differs[name] {
			t.Errorf("%s: no longer differs", name)
		}
	}
	for tool, n := range total {
		t.Logf("%s: %d of %d modules have the same errors", tool, same[tool], n)
	}
}

func difflines(want, got []string) string {
	var b strings.Builder
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintf(&b, "  - %s\n", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintf(&b, "  + %s\n", g)
		}
	}
	return b.String()
}

// TestPlacesInStrings: lines and columns in the strings of JSON are those of what the
// strings mean, as the programs count.
func TestPlacesInStrings(t *testing.T) {
	src := `{"locals": {"a": "\"${local.x}\n${local.y}", "b": "${local.z}"}}`
	tree, err := hclnames.LoadTree(fstest.MapFS{"a.tf.json": {Data: []byte(src)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		got = append(got, d.Subject.Start.String())
	}
	if want := []string{"1,22", "2,3", "1,54"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
