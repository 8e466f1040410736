// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tofuwire/tofuwire"

// mayImport has, for each public package, the other packages of this module
// and the third-party modules that it may import.
var mayImport = map[string]struct{ own, modules []string }{
	"addrs":                 {nil, []string{"golang.org/x/net", "golang.org/x/text"}},
	"planjson":              {[]string{"addrs", "internal/wire", "internal/jsonscan"}, []string{"github.com/zclconf/go-cty"}},
	"uijson":                {[]string{"addrs", "internal/wire", "internal/jsonscan"}, nil},
	"lockfile":              {[]string{"addrs"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"checksum":              {[]string{"addrs"}, nil},
	"registry":              {[]string{"addrs"}, []string{"github.com/ProtonMail/go-crypto"}},
	"registry/registrytest": {[]string{"addrs", "registry"}, []string{"github.com/ProtonMail/go-crypto"}},
	"hclconfig":             {[]string{"addrs", "internal/hcllang", "internal/jsonscan"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty", "github.com/apparentlymart/go-textseg/v15"}},
}

// alongWith has the modules that come along with one that may be imported,
// because its own packages import them.
var alongWith = map[string][]string{
	"golang.org/x/net":                {"golang.org/x/text"},
	"github.com/zclconf/go-cty":       {"github.com/apparentlymart/go-textseg/v15", "github.com/apparentlymart/go-textseg/v17", "golang.org/x/text"},
	"github.com/hashicorp/hcl/v2":     {"github.com/agext/levenshtein", "github.com/google/go-cmp", "github.com/apparentlymart/go-textseg/v15", "github.com/apparentlymart/go-textseg/v17", "github.com/mitchellh/go-wordwrap", "golang.org/x/text"},
	"github.com/ProtonMail/go-crypto": {"github.com/cloudflare/circl", "golang.org/x/crypto", "golang.org/x/sys"},
	"addrs":                           {"golang.org/x/net", "golang.org/x/text"},
}

// list runs go list for a package and returns the lines it prints.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

const depFormat = `{{if not .Standard}}{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}{{end}}`

// TestImports checks what each public package imports itself.
func TestImports(t *testing.T) {
	for pkg, may := range mayImport {
		imports := list(t, "-f", `{{join .Imports "\n"}}`, module+"/"+pkg)
		for _, imp := range imports {
			first, _, _ := strings.Cut(imp, "/")
			switch own, ok := strings.CutPrefix(imp, module+"/"); {
			case ok:
				if !slices.Contains(may.own, own) {
					t.Errorf("%s must not import %s", pkg, own)
				}
			case strings.Contains(first, "."):
				if !slices.ContainsFunc(may.modules, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }) {
					t.Errorf("%s must not import %s", pkg, imp)
				}
			case imp == "unsafe":
				t.Errorf("%s must not import unsafe", pkg)
			}
		}
	}
}

// TestDependencies checks everything that is compiled for each public
// package: who imports one pays for that one alone.
func TestDependencies(t *testing.T) {
	for pkg, may := range mayImport {
		modules := slices.Clone(may.modules)
		for _, m := range slices.Concat(may.modules, may.own) {
			modules = append(modules, alongWith[m]...)
			for _, m := range mayImport[m].modules {
				modules = append(modules, alongWith[m]...)
			}
		}
		for _, line := range list(t, "-deps", "-f", depFormat, module+"/"+pkg) {
			path, mod, _ := strings.Cut(line, " ")
			own, ok := strings.CutPrefix(path, module+"/")
			switch {
			case path == "":
			case ok:
				if own != pkg && !slices.Contains(may.own, own) {
					t.Errorf("%s must not depend on %s", pkg, own)
				}
			case !slices.Contains(modules, mod):
				t.Errorf("%s must not depend on %s of module %s", pkg, path, mod)
			}
		}
	}
}

// TestPublicPackages checks that the table is complete.
func TestPublicPackages(t *testing.T) {
	for _, path := range list(t, module+"/...") {
		pkg, ok := strings.CutPrefix(path, module+"/")
		if !ok || strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "examples/") {
			continue
		}
		if _, ok := mayImport[pkg]; !ok {
			t.Errorf("the table does not say what %s may import", pkg)
		}
	}
	for pkg := range mayImport {
		list(t, module+"/"+pkg) // fails if there is none
	}
}
