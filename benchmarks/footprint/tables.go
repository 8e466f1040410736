// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// ours are our packages, the lightest first.
var ours = []subject{
	{module, "addrs", `p.ParseProvider("hashicorp/aws")`},
	{module, "checksum", `p.HashZip(nil, "")`},
	{module, "uijson", `p.Decode([]byte("{}"))`},
	{module, "uijson/uitrack", `new(p.Tracker).Add(nil)`},
	{module, "uijson/uirun", `new(p.Tool).Command(nil)`},
	{module, "planjson", `p.DecodePlan([]byte("{}"))`},
	{module, "planjson/plangraph", `p.New(nil)`},
	{module, "planjson/plandiff", `p.Plan(nil, p.Options{})`},
	{module, "planjson/statefile", `p.Decode([]byte("{}"))`},
	{module, "planjson/planfile", `new(p.File).JSON(nil)`},
	{module, "planjson/redact", `p.Redactor{}.Plan(nil)`},
	{module, "lockfile", `p.Parse("", nil)`},
	{module, "hclconfig", `p.LoadModule(nil, "")`},
	{module, "hclconfig/hclbridge", `p.Body(nil)`},
	{module, "hclconfig/hclconvert", `p.ToJSON(nil, p.Options{})`},
	{module, "hclconfig/hcledit", `p.Format(nil)`},
	{module, "hclconfig/hclnames", `p.LoadTree(nil, "")`},
	{module, "hclconfig/hclcheck", `p.Validate(nil, p.Validation{})`},
	{module, "hclconfig/hclfuncs", `p.Functions(0, p.Options{})`},
	{module, "hclconfig/hclrename", `p.ReplaceProvider(nil, "", "")`},
	{module, "hclconfig/hcllint", `p.Main()`},
	{module, "hclconfig/hcllint/rules", `p.All()`},
	{module, "registry", `new(p.Client).Fetch(nil, nil, "")`},
	{module, "registry/cliconfig", `new(p.Environment).Load()`},
	{module, "registry/registrytest", `p.NewServer(p.Content{})`},
	{module, "registry/install", `new(p.Installer).Install(nil, "", nil, nil)`},
}

var peers = []subject{
	{"golang.org/x/mod", "sumdb/dirhash", `p.HashZip("", p.Hash1)`},
	{"github.com/hashicorp/terraform-json", "", `new(p.Plan).UnmarshalJSON(nil)`},
	{"github.com/hashicorp/terraform-exec", "tfexec", `new(p.Terraform).QueryJSON(nil)`},
	{"github.com/tmccombs/hcl2json", "convert", `p.Bytes(nil, "", p.Options{})`},
	{"github.com/hashicorp/hcl/v2", "hclwrite", `p.ParseConfig(nil, "", [1]struct{ Line, Column, Byte int }{}[0])`},
	{"github.com/hashicorp/terraform-config-inspect", "tfconfig", `p.LoadModule("")`},
}

// The marks around the tables in docs/footprint.md.
const (
	begin = "<!-- footprint -->\n"
	end   = "<!-- /footprint -->\n"
)

// tables measures everything and returns the text between the marks.
func (l *lab) tables() (string, error) {
	var b strings.Builder
	for _, part := range []struct {
		title    string
		subjects []subject
	}{{"package", ours}, {"peer", peers}} {
		fmt.Fprintf(&b, "| %s | third-party modules that are compiled | go.mod; go.sum | packages that are compiled | adds to a binary |\n|---|---|---|---|---|\n", part.title)
		for _, s := range part.subjects {
			f, err := l.measure(s)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&b, l.row(f))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "With %s. A program that does nothing has %.1f MB.\n", system(), float64(l.empty)/1e6)
	return b.String(), nil
}

func (l *lab) row(f *footprint) string {
	name := "`" + f.pkg + "`"
	if f.module != module {
		name = strings.TrimPrefix(f.path(), "github.com/") + " " + short(l.versions[f.module])
	}
	return fmt.Sprintf("| %s | %s | %d; %d | %s | %.1f MB |", name, moduleNames(f.modules), f.mod, f.sum, packages(f), float64(f.bytes)/1e6)
}

// packages returns the numbers of packages as the table has them.
func packages(f *footprint) string {
	return fmt.Sprintf("%d = %d + %d + %d", f.standard+f.own+f.third, f.standard, f.own, f.third)
}

// moduleNames returns the names of modules as the table has them.
func moduleNames(modules []string) string {
	if len(modules) == 0 {
		return "none"
	}
	var names []string
	for _, m := range modules {
		// Without the host and, except for golang.org/x, the owner.
		host, name, _ := strings.Cut(m, "/")
		if _, short, ok := strings.Cut(name, "/"); ok && host != "golang.org" {
			name = short
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// short returns a version, of a pseudo-version the commit alone.
func short(version string) string {
	if strings.HasPrefix(version, "v0.0.0-") {
		return version[strings.LastIndexByte(version, '-')+1:]
	}
	return version
}

// requirements returns the versions that a go.mod requires, by module.
func requirements(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	versions := make(map[string]string)
	for _, r := range f.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions, nil
}

// sums returns how many modules a go.sum has, without one of them.
func sums(name, without string) (int, error) {
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return 0, err
	}
	modules := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if mod, _, ok := strings.Cut(line, " "); ok && mod != without {
			modules[mod] = true
		}
	}
	return len(modules), nil
}

// writePart puts text between two marks of a file.
func writePart(name, begin, end, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s lacks the marks %q and %q", name, begin, end)
	}
	return os.WriteFile(name, []byte(before+begin+text+end+after), 0o644)
}
