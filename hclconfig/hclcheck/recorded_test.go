// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/testing/releases"
)

// TestRecordedReleases compares what Validate says of whole configurations, for each release
// that was tried, with what the release says: the same errors, or the same warnings if there
// are none.
func TestRecordedReleases(t *testing.T) {
	differs := map[string]bool{}
	total, same := map[string]int{}, map[string]int{}
	for _, c := range recorded(t) {
		for _, r := range slices.SortedFunc(maps.Keys(c.Verdicts), hcllang.CompareReleases) {
			if d, release := hcllang.SplitRelease(r); d == hcllang.Terraform && release < oldestRules {
				continue
			}
			total[r]++
			want := comparable(c.Verdicts[r])
			got := comparable(diagnose(t, c, dialectOf(r)))
			for i, g := range got { // a program knows no place of some errors
				if _, summary, _ := strings.Cut(g[strings.IndexByte(g, ' ')+1:], " "); slices.Contains(want, "error - "+summary) || slices.Contains(want, "error :0,0 "+summary) {
					got[i] = want[slices.IndexFunc(want, func(w string) bool { return w == "error - "+summary || w == "error :0,0 "+summary })]
				}
			}
			slices.Sort(got)
			got = slices.Compact(got)
			switch known := differences[c.Name]; {
			case slices.Equal(got, want):
				same[r]++
				continue
			case known != "":
				differs[c.Name] = true
				continue
			}
			t.Errorf("%s: %s:\n%s", c.Name, r, difflines(want, got))
		}
	}
	for name := range differences {
		if !differs[name] {
			t.Errorf("%s: no longer differs", name)
		}
	}
	for r, n := range total {
		t.Logf("%s: %d of %d", r, same[r], n)
	}
}

// differences has the configurations of which some release says something else, each with
// the reason.
var differences = map[string]string{
	"required_providers with two sources of one name": "the place of one of two, by chance",

	"required_providers with two sources of one name in JSON": "the place of one of two, by chance",
}

// oldestRules is the oldest release of Terraform whose rules Validate has.
const oldestRules hcllang.Release = 1005

// TestRecordedOldReleases compares what Validate accepts, as a release of Terraform before those whose rules it has, with
// what the release accepted. It refuses what the features of the configuration ask for; a few faults are of their time.
func TestRecordedOldReleases(t *testing.T) {
	total, same := map[string]int{}, map[string]int{}
	for _, c := range recorded(t) {
		for r, verdict := range c.Verdicts {
			if d, release := hcllang.SplitRelease(r); d != hcllang.Terraform || release >= oldestRules {
				continue
			}
			total[r]++
			found := diagnose(t, c, dialectOf(r))
			if slices.ContainsFunc(found, isError) == slices.ContainsFunc(verdict, isError) {
				same[r]++
			}
			_, version, _ := strings.Cut(r, "-")
			_, reasons, _ := hclnames.NeedOf(files(c.Files), ".", hclconfig.Terraform)
			isLacking := func(f hclnames.Feature) bool { // apart from files that the release does not read
				return !f.Support.In(hclconfig.Terraform, addrs.MustParseVersion(version)) && !strings.Contains(f.Range.Filename, ".tftest.") && !strings.Contains(f.Range.Filename, ".tofu") && !strings.Contains(f.Range.Filename, ".tfquery.")
			}
			if i := slices.IndexFunc(reasons, isLacking); i >= 0 && !slices.ContainsFunc(found, isError) {
				t.Errorf("%s: %s: nothing is refused, although the configuration needs %v", c.Name, r, reasons[i])
			}
		}
	}
	for r, n := range total {
		if t.Logf("%s: %d of %d", r, same[r], n); 100*same[r] < 97*n {
			t.Errorf("%s: the verdict is right for %d of %d", r, same[r], n)
		}
	}
	if len(total) < 4 {
		t.Errorf("only %d releases", len(total))
	}
}

// TestRecordedNeeds compares, for each configuration and each release that was tried, the
// constraint of NeedOf with what the release says. Newer releases than the last one that
// accepts the configuration find a fault in it, which no feature is about.
func TestRecordedNeeds(t *testing.T) {
	late, others := map[string]bool{}, map[string]bool{}
	for _, c := range recorded(t) {
		tried := slices.SortedFunc(maps.Keys(c.Verdicts), hcllang.CompareReleases)
		for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			constraint, reasons, err := hclnames.NeedOf(files(c.Files), ".", d)
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			last := -1
			for i, r := range tried {
				if dialectOf(r).Program() == d.Program() && !slices.ContainsFunc(c.Verdicts[r], isError) {
					last = i
				}
			}
			for _, r := range tried[:last+1] {
				_, version, _ := strings.Cut(r, "-")
				v := addrs.MustParseVersion(version)
				if dialectOf(r).Program() != d.Program() {
					continue
				}
				accepts := !slices.ContainsFunc(c.Verdicts[r], isError)
				allowed := constraint != "" && addrs.MustParseConstraints(constraint).Allows(v)
				switch name := strings.TrimSuffix(c.Name, " in JSON"); {
				case accepts == allowed:
				case accepts && slices.ContainsFunc(reasons, func(f hclnames.Feature) bool { return !f.Support.In(d, v) && isLate(f, late) }):
				case otherNeeds[name] != "":
					others[name] = true
				default:
					t.Errorf("%s: %s accepts it: %t, but the constraint is %q because of %v", c.Name, r, accepts, constraint, reasons)
				}
			}
		}
	}
	for _, name := range lateFeatures {
		if !late[name] {
			t.Errorf("no configuration has the feature %q", name)
		}
	}
	for name := range otherNeeds {
		if !others[name] {
			t.Errorf("%s: NeedOf agrees", name)
		}
	}
}

// lateFeatures are what the names of features begin with that releases do not refuse before
// init, a test or a plan.
var lateFeatures = []string{"backend ", "argument path of backend with", "argument organization of cloud with", "argument project of workspaces", "move to another", "provider function provider::terraform::", "argument id of import with",
	"test file", "query file", "file with the extension ", // which older releases do not read
	"argument error_message of validation with", // a text in JSON
	"argument passphrase of key_provider with",  // looked at with a state
	"null for the version of a module",          // looked at with init
	// Encryption is set up by init and what reads a state.
	"key_provider external", "key_provider azure_vault", "method external", "argument encrypted_metadata_alias of key_provider",
	"argument additional_authenticated_data of key_provider", "argument nothing of", "key_provider nothing", "method nothing",
	"tags of workspaces with values", "function in the variables of a test",
}

func isLate(f hclnames.Feature, seen map[string]bool) bool {
	for _, name := range lateFeatures {
		if strings.HasPrefix(f.Name, name) {
			seen[name] = true
			return true
		}
	}
	return false
}

// otherNeeds has the configurations of which some releases say something else, each with the
// reason.
var otherNeeds = map[string]string{

	"required_version that is not met":       "it does not count",
	"required_version that is no constraint": "it does not count",
	"required_version that is a list":        "it does not count",
	"required_version with a reference":      "it does not count",
	"required_version with a prerelease":     "it does not count",
	"plantimestamp as a number":              "the plan accepts it",
	"plantimestamp of a year":                "the plan accepts it",
	"templatefile with a sensitive path":     "Terraform 1.0 accepts it, 1.1 to 1.8 do not",
	"configuration_aliases":                  "a module that only a caller can configure",
	"import with a sensitive id":             "depends on values",
	"override of an ephemeral resource":      "the address of something else in older releases",

	"for_each that cannot be evaluated for a data source": "OpenTofu since 1.10 finds it in the plan",
}

func recorded(t *testing.T) []*releases.Configuration {
	t.Helper()
	src, err := os.ReadFile("../testdata/releases.txt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := releases.Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if releases.Format(list) != string(src) {
		t.Error("releases.txt is not in the form that the recorder writes")
	}
	return list
}

// comparable returns the errors of a verdict, or the warnings if there are none.
func comparable(verdict []string) []string {
	refused := slices.ContainsFunc(verdict, isError)
	out := slices.DeleteFunc(slices.Clone(verdict), func(line string) bool {
		// After some errors Terraform also says at no place that an address is none.
		return refused && !isError(line) || strings.HasPrefix(line, "error :0,0 ") && len(verdict) > 1
	})
	for i, line := range out { // the programs sometimes forget the name of a JSON file
		if severity, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ":0,0") {
			out[i] = severity + " main.tf.json" + rest
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isError(line string) bool { return strings.HasPrefix(line, "error ") }

func dialectOf(release string) hclconfig.Dialect {
	tool, version, _ := strings.Cut(release, "-")
	d := hclconfig.OpenTofu
	if tool == "terraform" {
		d = hclconfig.Terraform
	}
	return d.At(addrs.MustParseVersion(version))
}

// diagnose returns what Validate says of a configuration, in the form of a verdict.
func diagnose(t *testing.T, c *releases.Configuration, d hclconfig.Dialect) []string {
	t.Helper()
	tree, err := hclnames.LoadTree(files(c.Files), ".", d, hclconfig.TestDirectory(""))
	if err != nil {
		return []string{"error - " + err.Error()}
	}
	var out []string
	for _, x := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		at, summary := "-", x.Summary
		if x.Subject.IsValid() {
			at = fmt.Sprintf("%s:%d,%d", x.Subject.Filename, x.Subject.Start.Line, x.Subject.Start.Column)
		}
		if strings.HasPrefix(summary, "Cycle: ") {
			at, summary = "-", "Cycle:"
		}
		out = append(out, fmt.Sprintf("%s %s %s", x.Severity, at, summary))
	}
	return out
}

// TestPlacesOfReleases has what single releases said of whole modules with more than one
// fault, and where.
func TestPlacesOfReleases(t *testing.T) {
	version := map[string]string{"main.tf": "terraform {\n  required_version = \">= 99\"\n}\n\nmodule \"x\" {\n  source  = \"./none\"\n  version = \"1.0.0\"\n}\n"}
	runs := map[string]string{"main.tf": "", "x.tftest.hcl": "run \"x\" {}\nrun \"x\" {}\n"}
	untyped := map[string]string{"main.tf": "resource \"terraform_nothing\" \"a\" {\n  input = terraform_nothing.a.id\n  lifecycle {\n    postcondition {\n      condition     = self.id != \"\"\n      error_message = \"x\"\n    }\n  }\n}\n"}
	// The name of a configuration implies a provider of the tool's own registry, which another name may have.
	other := func(source string) map[string]string {
		return map[string]string{"main.tf": "terraform {\n  required_providers {\n    other = { source = \"" + source + "\" }\n  }\n}\nprovider \"time\" {\n  alias = \"x\"\n}\nprovider \"time\" {}\n"}
	}
	const duplicate = "warning main.tf:3,13 Duplicate required provider"
	for _, c := range []struct {
		files   map[string]string
		release string
		want    []string
	}{
		{other("hashicorp/time"), "tofu-1.12.6", []string{duplicate}},
		{other("hashicorp/time"), "terraform-1.11.4", []string{duplicate}},
		{other("registry.opentofu.org/hashicorp/time"), "tofu-1.12.6", []string{duplicate}},
		{other("registry.opentofu.org/hashicorp/time"), "terraform-1.11.4", nil},
		{other("registry.terraform.io/hashicorp/time"), "terraform-1.11.4", []string{duplicate}},
		{other("registry.terraform.io/hashicorp/time"), "tofu-1.12.6", nil},
		{other("another/time"), "tofu-1.12.6", nil},
		{version, "tofu-1.6.3", []string{"error main.tf:6,13 Invalid registry module source address"}},
		{version, "tofu-1.9.4", []string{"error main.tf:6,13 Invalid registry module source address"}},
		{version, "terraform-1.11.4", []string{"error main.tf:6,13 Invalid registry module source address"}},
		{runs, "terraform-1.11.4", []string{`error x.tftest.hcl:2,1 Duplicate "run" block names`}},
		{runs, "terraform-1.15.9", []string{`error x.tftest.hcl:2,5 Duplicate "run" block names`}},
		{untyped, "terraform-1.11.4", []string{"error main.tf:1,10 Invalid resource type", "error main.tf:5,23 Invalid resource type", "error main.tf:5,23 Unknown variable"}},
	} {
		got := comparable(diagnose(t, &releases.Configuration{Files: c.files}, dialectOf(c.release)))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.release, got, c.want)
		}
	}
}

// TestVersionsOfComputedCalls has what tofu 1.10.10 and 1.12.6 said of calls of which the source or the version is
// computed: a version with a fault is there as well, so that the source must be in a registry.
func TestVersionsOfComputedCalls(t *testing.T) {
	const rest = `
variable "set" { default = "1.0" }
variable "null" { default = null }
variable "secret" {
  default   = "1"
  sensitive = true
}
variable "number" { default = 1 }
variable "local" { default = "./m" }
variable "git" { default = "git::https://example.com/x.git" }
variable "registry" { default = "a/b/c" }
`
	const noVersion, notKnown = "error main.tf:3,13 Invalid version constraint", "error main.tf:3,13 Dynamic value in static context"
	for version, fault := range map[string]string{
		`"1.0"`: "", "var.set": "", "var.number": "", `"${var.set}.1"`: "", "null": "", "var.null": "",
		`"x"`: noVersion, "[1]": noVersion, `upper("a")`: noVersion, "[var.set]": noVersion, "var.secret": noVersion,
		"each.key": notKnown, "local.nope": "error main.tf:3,13 Undefined local",
	} {
		for _, source := range []string{`"./m"`, `"git::https://example.com/x.git"`, `"a/b/c"`, "var.local", "var.git", "var.registry", `"${path.module}/m"`} {
			text := fmt.Sprintf("module \"a\" {\n  source  = %s\n  version = %s\n}\n%s", source, version, rest)
			var want []string
			if !strings.HasSuffix(version, "null") && source != `"a/b/c"` && source != "var.registry" {
				want = append(want, "error main.tf:2,13 Invalid registry module source address")
			}
			if fault != "" {
				want = append(want, fault)
			}
			got := slices.DeleteFunc(diagnose(t, &releases.Configuration{Files: map[string]string{"main.tf": text, "m/main.tf": ""}}, dialectOf("tofu-1.12.6")), func(line string) bool {
				return strings.Contains(line, "Module not installed")
			})
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("source %s, version %s: %q, want %q", source, version, got, want)
			}
		}
	}
}
