// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/registrytest"
	"github.com/tofuwire/tofuwire/uijson"
)

// TestErrLimit checks that input beyond a limit is an ErrLimit in every package
// that decodes, and that no package has another name for that.
func TestErrLimit(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 10001) + "1" + strings.Repeat("}", 10001)
	plan := func() error {
		_, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","x":` + deep + `}`))
		return err
	}
	message := func() error {
		_, err := uijson.Decode([]byte(`{"@level":"info","@message":"","x":` + deep + `}`))
		return err
	}
	second := func(_ any, err error) error { return err }
	config := func(name, text string) error { _, err := hclconfig.Parse(name, []byte(text)); return err }
	for _, c := range []struct {
		name  string
		err   error
		limit error
	}{
		{"a host that is long", func() error { _, err := addrs.ParseProvider(strings.Repeat("é", 1000) + "/a/b"); return err }(), addrs.ErrLimit},
		{"a plan that is nested", plan(), planjson.ErrLimit},
		{"a plan of small objects", func() error {
			_, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","resource_changes":[` + strings.TrimSuffix(strings.Repeat("{},", 1<<17), ",") + `]}`))
			return err
		}(), planjson.ErrLimit},
		{"a message that is nested", message(), uijson.ErrLimit},
		{"a line that is long", func() error {
			for ev := range uijson.NewReader(strings.NewReader("{"+strings.Repeat("x", 1<<13)+"}\n"), uijson.MaxLine(1<<12)).Events() {
				return ev.Err
			}
			return nil
		}(), uijson.ErrLimit},
		{"a file in JSON that is nested", config("a.tf.json", `{"locals":{"a":`+deep+`}}`), hclconfig.ErrLimit},
		{"a file that is nested", config("a.tf", "a = "+strings.Repeat("[", 10001)), hclconfig.ErrLimit},
		{"a CLI configuration that is nested", func() error {
			_, err := cliconfig.Parse("x", []byte(strings.Repeat("a {\n", 30)+strings.Repeat("}\n", 30)))
			return err
		}(), cliconfig.ErrLimit},
		{"a CLI configuration in JSON that is nested", func() error {
			_, err := cliconfig.Parse("x", []byte(`{"a":`+strings.Repeat("[", 30)+strings.Repeat("]", 30)+"}"))
			return err
		}(), cliconfig.ErrLimit},
		{"a lock file that is large", func() error {
			_, err := lockfile.Parse("x.hcl", make([]byte, lockfile.MaxSize+1))
			return err
		}(), lockfile.ErrLimit},
		{"a lock file that is nested", func() error {
			_, err := lockfile.Parse("x.hcl", []byte("provider \"registry.opentofu.org/a/b\" {\n  version = "+strings.Repeat("[", 5000)))
			return err
		}(), lockfile.ErrLimit},
		{"a lock file of many tokens", func() error {
			_, err := lockfile.Parse("x.hcl", []byte("provider \"registry.opentofu.org/a/b\" {\n version=\"1.0.0\"\n hashes=["+strings.Repeat("1,", 300_000)+"]\n}\n"))
			return err
		}(), lockfile.ErrLimit},
		{"a number of a lock file", func() error {
			_, err := lockfile.Parse("x.hcl", []byte("provider \"registry.opentofu.org/a/b\" {\n  version = "+strings.Repeat("1", 1400)+"\n}\n"))
			return err
		}(), lockfile.ErrLimit},
		{"a version that is long", second(addrs.ParseVersion("1.0.0-" + strings.Repeat("a", 1400))), addrs.ErrLimit},
		{"a version of a long number", second(addrs.ParseVersion("1." + strings.Repeat("1", 400) + ".0")), addrs.ErrLimit},
		{"a module source that is long", second(addrs.ParseModuleSource("./" + strings.Repeat("a/", 70<<20))), addrs.ErrLimit},
		{"a value that is nested", second(planjson.Value(strings.Repeat("[", 600) + strings.Repeat("]", 600)).Cty(cty.DynamicPseudoType)), planjson.ErrLimit},
		{"a type that is nested", second(planjson.ParseType(planjson.Value(strings.Repeat(`["list",`, 300) + `"string"` + strings.Repeat("]", 300)))), planjson.ErrLimit},
		{"a type constraint that is nested", func() error {
			f, err := hclconfig.Parse("a.tf", []byte("variable \"x\" {\n  type = "+strings.Repeat("list(", 300)+"string"+strings.Repeat(")", 300)+"\n}\n"))
			if err == nil {
				_, _, err = f.Config().Variables[0].Type.TypeConstraint()
			}
			return err
		}(), hclconfig.ErrLimit},
		{"a tree of many modules", func() error {
			tree := fstest.MapFS{"m15/a.tf": {}}
			for i := range 15 {
				call := fmt.Sprintf(" {\n  source = \"../m%d\"\n}\n", i+1)
				tree[fmt.Sprintf("m%d/a.tf", i)] = &fstest.MapFile{Data: []byte("module \"a\"" + call + "module \"b\"" + call)}
			}
			return second(hclnames.LoadTree(tree, "m0"))
		}(), hclconfig.ErrLimit},
		{"a directory of many files", second(checksum.Hasher{Limits: checksum.Limits{Entries: 1}}.FS(t.Context(), "p", fstest.MapFS{"a": {}, "b": {}})), checksum.ErrLimit},
		{"a CLI configuration that is large", func() error {
			name := filepath.Join(t.TempDir(), "x.tfrc")
			if err := os.WriteFile(name, []byte(strings.Repeat("#\n", 3<<20)), 0o600); err != nil {
				return err
			}
			return second(cliconfig.Environment{}.LoadFile(name))
		}(), cliconfig.ErrLimit},
	} {
		if !errors.Is(c.err, c.limit) {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	other := regexp.MustCompile(`^Err(Too|Oversi|Dense|Max|Large|Deep|Size|.+Limit$)`)
	for pkg, files := range public(t) {
		for _, f := range files {
			for name := range f.Scope.Objects {
				if other.MatchString(name) {
					t.Errorf("%s.%s is another name for ErrLimit", pkg, name)
				}
			}
		}
	}
}

// unknowns are values of enumerations that no constant has.
var unknowns = []fmt.Stringer{
	addrs.ModuleSourceKind(99), addrs.ReferenceKind(99), addrs.Verdict(99),
	planjson.Kind(99), plandiff.Status(99), uijson.EventKind(99),
	lockfile.Presence(99), lockfile.Severity(99),
	registry.Origin(99), registry.Proof(99), registry.Rule(99), registrytest.Level(99),
	hclconfig.Dialect(99), hclconfig.Kind(99), hclconfig.Severity(99), hclconfig.Syntax(99), hclconfig.FileKind(99),
}

// TestUnknownStrings checks that each enumeration of numbers prints a value that it
// does not know as its type and number: Kind(99).
func TestUnknownStrings(t *testing.T) {
	known := map[string]bool{}
	for _, v := range unknowns {
		name := fmt.Sprintf("%T", v)
		known[name] = true
		_, typ, _ := strings.Cut(name, ".")
		if want := typ + "(99)"; v.String() != want {
			t.Errorf("%s prints %q, want %q", name, v, want)
		}
	}
	n := 0
	for pkg, files := range public(t) {
		stringers := map[string]bool{}
		for _, f := range files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && d.Name.Name == "String" {
					stringers[receiver(d)] = true
				}
			}
		}
		for _, f := range files {
			for _, d := range f.Decls {
				d, ok := d.(*ast.GenDecl)
				if !ok || d.Tok != token.TYPE {
					continue
				}
				for _, s := range d.Specs {
					s := s.(*ast.TypeSpec)
					under, ok := s.Type.(*ast.Ident)
					if !ok || !s.Name.IsExported() || !stringers[s.Name.Name] || !strings.Contains(under.Name, "int") {
						continue
					}
					n++
					if name := pkg[strings.LastIndex(pkg, "/")+1:] + "." + s.Name.Name; !known[name] {
						t.Errorf("%s is not in the table", name)
					}
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d enumerations", n)
	}
}
