// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package instances

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// module writes files to a folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLines(t *testing.T) {
	dir := module(t, map[string]string{
		"main.tf":       "variable \"n\" {}\nresource \"terraform_data\" \"x\" {\n  count = var.n\n}\nresource \"terraform_data\" \"y\" {\n  count = terraform_data.x[0].id\n}\ndata \"d\" \"a\" {}\nmodule \"far\" {\n  source = \"acme/far/any\"\n}\n",
		"only.tofu":     "resource \"terraform_data\" \"tofu\" {}\n",
		"values":        "n = 11",
		"wrong":         "n = [",
		"x.auto.tfvars": "n = 1",
	})
	const unresolved = "terraform_data.y[?]: count depends on terraform_data.x, known after apply\nmodule.far[?]: the module is not installed\n"
	code, out, errs := run(t, dir)
	if want := "data.d.a\nterraform_data.tofu\nterraform_data.x[0]\n" + unresolved; code != 1 || out != want || errs != "" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, _ = run(t, dir, "-tool", "terraform", "--var-file", filepath.Join(dir, "values"))
	if code != 1 || strings.Contains(out, "tofu\n") || !strings.Contains(out, "terraform_data.x[2]\n") || strings.Index(out, "x[10]") < strings.Index(out, "x[2]") {
		t.Errorf("exit %d\n%s", code, out)
	}
	for _, args := range [][]string{{"-tool", "pulumi", dir}, {dir, dir}, {"-x"}, {filepath.Join(dir, "none")}, {"-var-file", filepath.Join(dir, "wrong"), dir}, {"-var-file", "none", dir}, {t.TempDir()}, {module(t, map[string]string{"a.tf": "resource {"})}, {module(t, map[string]string{"a.tf": "", "x.auto.tfvars": "a = ["})}} {
		if code, out, errs := run(t, args...); code != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if code, out, _ := run(t, "-h"); code != 0 || !strings.HasPrefix(out, "usage: tofuwire instances") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestSensitive(t *testing.T) {
	dir := module(t, map[string]string{"main.tf": `variable "s" {
  default   = "s3"
  sensitive = true
}
resource "t" "a" {
  v = [var.s, t.b.id, terraform.workspace]
  w = { s = var.s, f = trimspace(file("name")) }
}
`, "name": "text\n"})
	t.Setenv("TF_WORKSPACE", "prod")
	for reveal, want := range map[string]string{
		"-reveal=false": `{"v":[null,null,"prod"],"w":{"f":"text","s":null}}`,
		"-reveal":       `{"v":["s3",null,"prod"],"w":{"f":"text","s":"s3"}}`,
	} {
		code, out, errs := run(t, "-json", reveal, dir)
		var doc struct {
			Complete   bool
			Instances  []struct{ Values, Unknown, Sensitive, Why json.RawMessage }
			Unresolved []any
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || !doc.Complete || len(doc.Instances) != 1 || doc.Unresolved == nil {
			t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
		}
		i := doc.Instances[0]
		if got := string(i.Values); got != want {
			t.Errorf("%s: values %s", reveal, got)
		}
		if string(i.Unknown) != `{"v":[false,true,false],"w":{}}` || string(i.Sensitive) != `{"v":[true,false,false],"w":{"s":true}}` || string(i.Why) != `[{"path":"v","reason":"t.b, known after apply"}]` {
			t.Errorf("%s %s %s", i.Unknown, i.Sensitive, i.Why)
		}
	}
}

// TestWorkspace: the workspace is the one that the tools would use in the folder, also for sources.
func TestWorkspace(t *testing.T) {
	files := map[string]string{
		"main.tf":      "resource \"t\" \"a\" {\n  count = terraform.workspace == \"default\" ? 1 : 2\n}\nmodule \"m\" {\n  source = \"./${terraform.workspace}\"\n}\n",
		"default/a.tf": "resource \"t\" \"d\" {}\n",
		"prod/a.tf":    "resource \"t\" \"p\" {}\n",
	}
	one, two := "t.a[0]\nmodule.m.t.d\n", "t.a[0]\nt.a[1]\nmodule.m.t.p\n"
	for _, c := range []struct{ variable, selected, want string }{{"", "", one}, {"prod", "", two}, {"", "prod\n", two}, {"default", "prod", one}} {
		t.Setenv("TF_WORKSPACE", c.variable)
		if delete(files, ".terraform/environment"); c.selected != "" {
			files[".terraform/environment"] = c.selected
		}
		if code, out, errs := run(t, module(t, files)); code != 0 || out != c.want || errs != "" {
			t.Errorf("%q, %q: exit %d\n%s%s", c.variable, c.selected, code, out, errs)
		}
	}
}

// A recording is a module, with what a plan of it has.
type recording struct {
	Tool    string
	Files   map[string]string
	Changes []struct {
		Address      string
		Module       string `json:"module_address"`
		Index        any
		After        map[string]any
		AfterUnknown map[string]any `json:"after_unknown"`
	}
}

// TestPlans compares instances and their values with real plans of OpenTofu 1.12.6 and
// Terraform 1.11.4.
func TestPlans(t *testing.T) {
	packed, err := os.ReadFile("testdata/plans.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	text, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plans, values := 0, 0
	for lines := json.NewDecoder(text); lines.More(); plans++ {
		var r recording
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		dir := module(t, r.Files)
		args := []string{"-json", "-tool", r.Tool, dir}
		if _, ok := r.Files["x.vars"]; ok {
			args = append(args, "-var-file", filepath.Join(dir, "x.vars"))
		}
		code, out, errs := run(t, args...)
		var doc struct {
			Instances []struct {
				Address       string
				ModuleAddress string `json:"module_address"`
				Index         any
				Values        map[string]any
			}
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || len(doc.Instances) != len(r.Changes) {
			t.Errorf("plan %d: exit %d, %v, %d instances, want %d: %s", plans, code, err, len(doc.Instances), len(r.Changes), errs)
			continue
		}
		for i, c := range r.Changes {
			at := fmt.Sprintf("plan %d, %s", plans, c.Address)
			for _, one := range doc.Instances {
				if one.Address != c.Address {
					continue
				}
				at = ""
				if one.ModuleAddress != c.Module || fmt.Sprint(one.Index) != fmt.Sprint(c.Index) {
					t.Errorf("%s: module %s, index %v", c.Address, one.ModuleAddress, one.Index)
				}
				for name, v := range one.Values {
					if c.AfterUnknown[name] == true {
						if v != nil {
							t.Errorf("%s.%s is unknown in the plan", c.Address, name)
						}
						continue
					}
					values++
					if fault := fits(v, c.After[name]); fault != "" {
						t.Errorf("%s.%s: %s", c.Address, name, fault)
					}
				}
			}
			if at != "" {
				t.Errorf("%s is not there (%d)", at, i)
			}
		}
	}
	if plans < 12 || values < 100 {
		t.Errorf("only %d plans with %d values", plans, values)
	}
}

// fits says how a value that is known here differs from the one of a plan: there is a conversion
// to the type of the schema, and further members.
func fits(ours, planned any) string {
	if ours == nil {
		return ""
	}
	switch o := ours.(type) {
	case map[string]any:
		p, ok := planned.(map[string]any)
		for name, v := range o {
			if fault := fits(v, p[name]); !ok || fault != "" {
				return name + ": " + fault
			}
		}
		return ""
	case []any:
		p, _ := planned.([]any)
		if len(o) != len(p) {
			return fmt.Sprintf("%d elements, want %d", len(o), len(p))
		}
		for i := range o {
			if fault := fits(o[i], p[i]); fault != "" {
				return fmt.Sprintf("%d: %s", i, fault)
			}
		}
		return ""
	}
	if fmt.Sprint(ours) != fmt.Sprint(planned) {
		return fmt.Sprintf("%v, want %v", ours, planned)
	}
	return ""
}
