// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package releases reads and writes whole configurations with the verdicts of real
// programs: which releases of OpenTofu and Terraform accept each one, and what the others
// say. The recorder tools/langverdict fills them in; tests compare the library with them.
//
// The text has for each configuration its name, its files and its verdicts:
//
//	=== name of the configuration
//	text of main.tf
//	--- m/other.tf
//	text of another file
//	>>> tofu-1.6.3 tofu-1.7.10
//	error main.tf:1,1 Unsupported block type
//	>>> tofu-1.12.6 terraform-1.11.4
//	??? terraform >= 1.10 v1.10.5 14
//
// A verdict without a line means that the releases accept the configuration. The last form
// is a fact of a changelog: Terraform accepts the configuration from that release on and
// not before, as line 14 of CHANGELOG.md at tag v1.10.5 says.
package releases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Configuration is a module with what releases say of it.
type Configuration struct {
	Name string
	// Files has the text of each file, by its path with slashes.
	Files map[string]string
	// Verdicts has what each release, such as "tofu-1.12.6", says: its diagnostics, sorted,
	// each as "error FILE:LINE,COLUMN SUMMARY".
	Verdicts map[string][]string
	// Changelog is a fact of a changelog, or empty.
	Changelog string
}

// Parse reads configurations. The error names the line that it is about.
func Parse(text string) ([]*Configuration, error) {
	var out []*Configuration
	var c *Configuration
	var name string // of the file
	var body strings.Builder
	var verdict []string // the releases of the verdict
	end := func() {
		if c != nil && name != "" && (body.Len() > 0 || name != "main.tf") {
			c.Files[name] = body.String()
		}
		name = ""
		body.Reset()
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case mark == "===":
			end()
			c = &Configuration{Name: rest, Files: map[string]string{}, Verdicts: map[string][]string{}}
			out, name, verdict = append(out, c), "main.tf", nil
		case c == nil:
			return nil, fmt.Errorf("line %d: want ===", n)
		case mark == "---":
			end()
			name = rest
		case mark == ">>>":
			end()
			verdict = strings.Fields(rest)
			for _, r := range verdict {
				c.Verdicts[r] = []string{}
			}
		case mark == "???":
			end()
			c.Changelog, verdict = rest, nil
		case name != "":
			body.WriteString(line)
		case verdict != nil:
			for _, r := range verdict {
				c.Verdicts[r] = append(c.Verdicts[r], strings.TrimSuffix(line, "\n"))
			}
		default:
			return nil, fmt.Errorf("line %d: it is in no file and no verdict", n)
		}
	}
	end()
	return out, nil
}

// Format writes configurations as [Parse] reads them.
func Format(list []*Configuration) string {
	var out strings.Builder
	for _, c := range list {
		out.WriteString("=== " + c.Name + "\n" + c.Files["main.tf"])
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if name != "main.tf" {
				out.WriteString("--- " + name + "\n" + c.Files[name])
			}
		}
		var verdicts []string
		by := map[string][]string{}
		for _, r := range slices.SortedFunc(maps.Keys(c.Verdicts), hcllang.CompareReleases) {
			lines := ""
			for _, line := range c.Verdicts[r] {
				lines += line + "\n"
			}
			if by[lines] == nil {
				verdicts = append(verdicts, lines)
			}
			by[lines] = append(by[lines], r)
		}
		for _, v := range verdicts {
			out.WriteString(">>> " + strings.Join(by[v], " ") + "\n" + v)
		}
		if c.Changelog != "" {
			out.WriteString("??? " + c.Changelog + "\n")
		}
	}
	return out.String()
}
