// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// A featureGroup is a part of the table in docs/comparison.md: one package of
// ours beside one peer.
type featureGroup struct {
	pkg    string // ours
	peer   string // the peer's name in the table
	module string // the peer's module, whose version go.mod has
	rows   []feature
}

// A feature is a row of the table. Nobody writes its verdicts: they are what
// the cases say.
type feature struct {
	what  string
	cases []featureCase
	note  string // a few words behind the verdict on the peer; may be empty

	// controls show no feature, but that the cases are tried in the right
	// way: both sides pass them.
	controls []featureCase
}

// A featureCase is one input that both sides are tried on. The functions ours
// and peer do it and report whether the feature is there; oursHas and peerHas
// are what the table rests on.
type featureCase struct {
	name             string
	ours, peer       func(t *testing.T) bool
	oursHas, peerHas bool
}

// A lack is something that a peer has and tofuwire has not.
type lack struct {
	peer, what string
	check      func(t *testing.T) // fails if it is not so
}

var featureGroups = []featureGroup{
	{"planjson", "terraform-json", "github.com/hashicorp/terraform-json", planFeatures},
	{"planjson/planfile", "terraform-json", "github.com/hashicorp/terraform-json", savedPlanFeatures},
	{"uijson", "terraform-json", "github.com/hashicorp/terraform-json", messageFeatures},
	{"uijson", "terraform-exec, `QueryJSON`", "github.com/hashicorp/terraform-exec", streamFeatures},
	{"lockfile", "hclwrite", "github.com/hashicorp/hcl/v2", lockFeatures},
	{"checksum", "dirhash", "golang.org/x/mod", hashFeatures},
	{"registry", "hc-install", "github.com/hashicorp/hc-install", signatureFeatures},
	{"hclconfig", "terraform-config-inspect", "github.com/hashicorp/terraform-config-inspect", moduleFeatures},
	{"hclconfig", "hcl2json", "github.com/tmccombs/hcl2json", convertFeatures},
}

// TestFeatures tries every case of the table on both sides.
func TestFeatures(t *testing.T) {
	for _, g := range featureGroups {
		for _, row := range g.rows {
			for _, c := range slices.Concat(row.cases, row.controls) {
				t.Run(g.pkg+"/"+row.what+"/"+c.name, func(t *testing.T) {
					if has := c.ours(t); has != c.oursHas {
						t.Errorf("tofuwire has it: %v, the table says %v", has, c.oursHas)
					}
					if has := c.peer(t); has != c.peerHas {
						t.Errorf("%s has it: %v, the table says %v", g.peer, has, c.peerHas)
					}
				})
			}
		}
	}
}

// TestMissingFeatures checks what docs/comparison.md says that others offer and we do not.
func TestMissingFeatures(t *testing.T) {
	for _, l := range lacks {
		t.Run(l.peer+"/"+l.what, l.check)
	}
}

// The marks around the table in docs/comparison.md.
const (
	featuresBegin = "<!-- features -->\n"
	featuresEnd   = "<!-- /features -->\n"
)

// TestFeatureTable checks that docs/comparison.md has the table that the cases make.
// With the environment variable UPDATE_DOCS set, it writes it there.
func TestFeatureTable(t *testing.T) {
	const name = "../docs/comparison.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	before, rest, ok := strings.Cut(page, featuresBegin)
	if !ok {
		t.Fatalf("no %s in %s", featuresBegin, name)
	}
	table, after, ok := strings.Cut(rest, featuresEnd)
	if !ok {
		t.Fatalf("no %s in %s", featuresEnd, name)
	}
	want := renderFeatures(t)
	if table == want {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("%s has another table; with UPDATE_DOCS=1 this test writes:\n%s", name, want)
	}
	if err := os.WriteFile(name, []byte(before+featuresBegin+want+featuresEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// renderFeatures returns the Markdown text between the marks.
func renderFeatures(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| | tofuwire | peer |\n|---|---|---|\n")
	versions := peerVersions(t)
	for _, g := range featureGroups {
		version, ok := versions[g.module]
		if !ok {
			t.Fatalf("go.mod does not require %s", g.module)
		}
		fmt.Fprintf(&b, "| **`%s`** | | **%s** %s |\n", g.pkg, g.peer, version)
		for _, row := range g.rows {
			peer := verdict(row.cases, func(c featureCase) bool { return c.peerHas })
			if row.note != "" {
				peer += ": " + row.note
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", row.what, verdict(row.cases, func(c featureCase) bool { return c.oursHas }), peer)
		}
	}
	b.WriteString("\nWhat they offer that tofuwire does not:\n\n")
	for _, l := range lacks {
		fmt.Fprintf(&b, "- %s: %s\n", l.peer, l.what)
	}
	b.WriteString("\n" + readPeers)
	return b.String()
}

// verdict returns what the table says about cases of which some or all, by
// has, have the feature.
func verdict(cases []featureCase, has func(featureCase) bool) string {
	yes, no := false, false
	for _, c := range cases {
		yes, no = yes || has(c), no || !has(c)
	}
	switch {
	case yes && no:
		return "partly"
	case yes:
		return "yes"
	}
	return "no"
}

// peerVersions returns the versions that go.mod requires, the pseudo-versions
// without the time.
func peerVersions(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := make(map[string]string)
	for _, r := range mod.Require {
		v := r.Mod.Version
		if strings.HasPrefix(v, "v0.0.0-") {
			v = v[strings.LastIndexByte(v, '-')+1:]
		}
		versions[r.Mod.Path] = v
	}
	return versions
}
