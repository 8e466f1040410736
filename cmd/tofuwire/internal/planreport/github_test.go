// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changesPlan returns a plan with changes: each is an address, a mode and actions.
func changesPlan(changes ...[3]string) string {
	var list []string
	for _, c := range changes {
		module := ""
		if i := strings.LastIndex(c[0], ".lab"); strings.HasPrefix(c[0], "module.") && i > 0 {
			module = fmt.Sprintf(`"module_address":%q,`, strings.TrimSuffix(c[0][:i], ".data"))
		}
		name := c[0][strings.LastIndex(c[0], "lab_thing.")+len("lab_thing."):]
		name, _, _ = strings.Cut(name, "[")
		list = append(list, fmt.Sprintf(`{"address":%q,%s"mode":%q,"type":"lab_thing","name":%q,"provider_name":"registry.opentofu.org/acme/lab","change":{"actions":%s,"before":null,"after":{},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}}`, c[0], module, c[1], name, c[2]))
	}
	return `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[` + strings.Join(list, ",") + `],"configuration":{"root_module":{}},"applyable":true,"complete":true,"errored":false}`
}

// TestGitHub annotates the blocks of a tree of modules.
func TestGitHub(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"infra/main.tf":          "module \"net\" {\n  source   = \"./net,1:x\"\n  for_each = toset([\"eu\", \"us\"])\n}\n\nresource \"lab_thing\" \"b\" {\n  name = \"b\"\n}\n",
		"infra/main_override.tf": "resource \"lab_thing\" \"b\" {\n  name = \"c\"\n}\n",
		"infra/only.tofu":        "module \"up\" {\n  source = \"../shared\"\n}\n",
		"infra/net,1:x/net.tf":   "\nresource \"lab_thing\" \"a\" {\n}\ndata \"lab_thing\" \"d\" {\n}\n",
		"shared/s.tf.json":       "{\n  \"resource\": {\n    \"lab_thing\": {\n      \"j\": {\n        \"name\": 1\n      }\n    }\n  }\n}\n",
		"plan.json": changesPlan(
			[3]string{`module.net["eu"].lab_thing.a`, "managed", `["create"]`},
			[3]string{`module.net["us"].lab_thing.a`, "managed", `["create"]`},
			[3]string{`module.net["us"].data.lab_thing.d`, "data", `["read"]`},
			[3]string{`lab_thing.same`, "managed", `["no-op"]`},
			[3]string{`module.up.lab_thing.j`, "managed", `["update"]`},
			[3]string{`lab_thing.gone["50%\n::error::x"]`, "managed", `["delete"]`},
			[3]string{`lab_thing.b[0]`, "managed", `["create"]`},
			[3]string{`lab_thing.b[1]`, "managed", `["delete","create"]`},
			[3]string{`lab_thing.b[2]`, "managed", `["forget"]`},
			[3]string{`no address`, "managed", `["create"]`},
		),
		"bad/main.tf": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const gone = "::warning title=1 to destroy::lab_thing.gone[\"50%25\\n::error::x\"]\n"
	for config, want := range map[string]string{
		"infra/": gone + `::warning file=infra/main.tf,line=6,endLine=8,col=1,title=1 to replace%2C 1 to forget%2C 1 to create::lab_thing.b[1], lab_thing.b[2], lab_thing.b[0]
::notice file=shared/s.tf.json,line=4,endLine=6,col=7,title=1 to update::module.up.lab_thing.j
::notice file=infra/net%2C1%3Ax/net.tf,line=2,endLine=3,col=1,title=2 to create::module.net["eu"].lab_thing.a, module.net["us"].lab_thing.a
::notice title=1 to create::no address
`,
		"": gone + `::warning title=1 to replace%2C 1 to forget%2C 1 to create::lab_thing.b[1], lab_thing.b[2], lab_thing.b[0]
::notice title=1 to update::module.up.lab_thing.j
::notice title=2 to create::module.net["eu"].lab_thing.a, module.net["us"].lab_thing.a
::notice title=1 to create::no address
`,
	} {
		var out, errs strings.Builder
		args := []string{"-format", "github", "plan.json"}
		if config != "" {
			args = append(args, "-config", config)
		}
		if code := Run(args, strings.NewReader(""), &out, &errs); code != 0 || out.String() != want || errs.String() != "" {
			t.Errorf("%s: exit %d, %s got\n%s\nwant\n%s", config, code, errs.String(), out.String(), want)
		}
		s, err := Summarized("x", []string{"-format", "text", "plan.json"}, strings.NewReader(""), &strings.Builder{}, &errs)
		if err != nil {
			t.Fatal(err)
		}
		var again strings.Builder
		if err := s.Annotate(&again, config); err != nil || again.String() != want {
			t.Errorf("%s: %v, annotated\n%s", config, err, again.String())
		}
	}
	for _, tt := range []struct {
		code int
		args []string
	}{{1, []string{"-format", "github", "-config", "none", "plan.json"}}, {2, []string{"-config", "infra", "plan.json"}}} {
		var out, errs strings.Builder
		if code := Run(tt.args, strings.NewReader(""), &out, &errs); code != tt.code || out.String() != "" || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit %d\n%s%s", tt.args, code, out.String(), errs.String())
		}
	}
}
