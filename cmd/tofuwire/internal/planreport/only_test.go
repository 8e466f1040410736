// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const mixed = `{"format_version":"1.2","terraform_version":"1.12.0","planned_values":{"root_module":{}},"configuration":{},"output_changes":{"o":{"actions":["create"],"before":null,"after":1,"after_unknown":false}},
"resource_changes":[{"address":"module.db[0].a.x","module_address":"module.db[0]","mode":"managed","type":"a","name":"x","provider_name":"p","change":{"actions":["delete"],"before":{"id":"1"},"after":null,"after_unknown":false}},
{"address":"b.y","mode":"managed","type":"b","name":"y","provider_name":"p","change":{"actions":["delete","create"],"before":{"id":"1"},"after":{"id":"2"},"after_unknown":false}},
{"address":"c.z","previous_address":"c.old","mode":"managed","type":"c","name":"z","provider_name":"p","change":{"actions":["update"],"before":{"id":"1"},"after":{"id":"2"},"after_unknown":false}}]}`

// TestOnly has the details of some changes, and the headline and counts of all.
func TestOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	for options, want := range map[string]string{
		"": "module.db[0].a.x b.y c.z o", "-only destroy": "module.db[0].a.x", "-only replace,move": "b.y c.z", "-only output": "o", "-only update -only output": "c.z o",
		"-address module.db[*].*": "module.db[0].a.x o", "-address *y -address ?.z": "b.y c.z o", "-only update -address b*": "", "-only create": "", "-address module.db[0].a": "o",
	} {
		for _, format := range []string{"text", "md", "html", "json"} {
			var out, errs strings.Builder
			status := Run(append(strings.Fields(options), "-format", format), strings.NewReader(mixed), &out, &errs)
			missing := 4 - len(strings.Fields(want))
			if status != 0 || format != "json" && !strings.Contains(out.String(), "1 to add, 1 to change, 2 to destroy") {
				t.Errorf("%s %s: %d\n%s%s", options, format, status, &out, &errs)
			}
			if says := strings.Contains(out.String(), "not shown"); format != "json" && says != (missing > 0) {
				t.Errorf("%s %s: says %v\n%s", options, format, says, &out)
			}
			if format != "json" {
				continue
			}
			var doc struct {
				Plans []struct {
					NotShown  *int `json:"not_shown"`
					Changes   Counts
					Resources []struct{ Address string }
					Outputs   []struct{ Name string }
				}
			}
			if err := json.Unmarshal([]byte(out.String()), &doc); err != nil {
				t.Fatal(err)
			}
			p, got := doc.Plans[0], []string{}
			for _, r := range p.Resources {
				got = append(got, r.Address)
			}
			for _, o := range p.Outputs {
				got = append(got, o.Name)
			}
			if strings.Join(got, " ") != want || p.Changes.Destroy != 2 || (p.NotShown != nil) != (options != "") || p.NotShown != nil && *p.NotShown != missing {
				t.Errorf("%s: %v, not %s; %+v", options, got, want, p)
			}
		}
	}
}

// TestSettings has a file that report finds, and what is wrong in one.
func TestSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (int, string, string) {
		var out, errs strings.Builder
		status := Run(args, strings.NewReader(mixed), &out, &errs)
		return status, out.String(), errs.String()
	}
	write(".tofuwire.hcl", "report {\n  title = \"Found\"\n  format = \"md\"\n  only = [\"destroy\", \"replace\"]\n}\ngate {\n  policy = [\"no-delete\"]\n}\n")
	write("b.json", `{"report":{"title":"Named","limit":30000}}`)
	if status, out, _ := run(); status != 0 || !strings.HasPrefix(out, "## Found\n") || !strings.Contains(out, "2 changes are not shown") {
		t.Errorf("%d\n%s", status, out)
	}
	if status, out, _ := run("-title", "Given", "-only", "update", "-format", "text"); status != 0 || !strings.HasPrefix(out, "Given\n") || !strings.Contains(out, "3 changes are not shown") {
		t.Errorf("%d\n%s", status, out)
	}
	if status, out, _ := run("-settings", "b.json"); status != 0 || !strings.HasPrefix(out, "Named\n") {
		t.Errorf("%d\n%s", status, out)
	}
	for text, want := range map[string]string{
		"report {\n  titel = 1\n}\n": `x.hcl:2,3: Unsupported argument; An argument named "titel" is not expected here. Did you mean "title"?`, "gate {\n  allow = 1\n}\n": "x.hcl:2,3: Unsupported argument;",
		"report {\n  format = \"jsn\"\n}\n": `x.hcl:2,3: format: unknown value "jsn"; did you mean "json"?`, "report {\n  limit = 1\n}\n": "-limit 1 is too small",
		"report {\n  only = \"destroy\"\n}\n": "x.hcl:2,3: only: ", "report {\n  title = var.x\n}\n": "x.hcl:2,11: Variables not allowed;", "report {}\nreport {}\n": "x.hcl:2,1: ", "raport {}\n": "x.hcl:1,1: ",
	} {
		write("x.hcl", text)
		if status, out, errs := run("-settings", "x.hcl"); status != 2 || out != "" || !strings.HasPrefix(errs, "tofuwire report: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d, %s%s, not %s", text, status, out, errs, want)
		}
	}
}
