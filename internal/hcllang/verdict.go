// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Verdicts are what real programs said of the probes: for each release, such as
// "tofu-1.12.6", which of them it accepts.
type Verdicts struct {
	releases map[string]map[string]bool
}

// ParseVerdicts reads the text that [Verdicts.String] writes.
func ParseVerdicts(text string) *Verdicts {
	v := &Verdicts{map[string]map[string]bool{}}
	var columns []string
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 2 && f[0] == "#" {
			columns = append(columns, f[1])
			v.releases[f[1]] = map[string]bool{}
		} else if len(f) == 2 && len(f[0]) == len(columns) {
			for i, c := range columns {
				if f[0][i] != '?' {
					v.releases[c][f[1]] = f[0][i] == '+'
				}
			}
		}
	}
	return v
}

// Set sets the verdicts of a release.
func (v *Verdicts) Set(release string, verdicts map[string]bool) { v.releases[release] = verdicts }

// Releases returns the releases: OpenTofu's first, each in order.
func (v *Verdicts) Releases() []string {
	return slices.SortedFunc(maps.Keys(v.releases), CompareReleases)
}

// CompareReleases compares two names such as "tofu-1.12.6": OpenTofu comes first, and older
// releases before newer ones.
func CompareReleases(a, b string) int {
	da, ra := SplitRelease(a)
	db, rb := SplitRelease(b)
	return cmp.Or(cmp.Compare(da, db), cmp.Compare(ra, rb), cmp.Compare(a, b))
}

// SplitRelease splits a name such as "tofu-1.12.6".
func SplitRelease(name string) (Dialect, Release) {
	tool, version, _ := strings.Cut(name, "-")
	d := OpenTofu
	if tool == "terraform" {
		d = Terraform
	}
	return d, ParseRelease(version)
}

// Of returns whether a release accepts a probe, and whether that is known.
func (v *Verdicts) Of(release, probe string) (accepts, known bool) {
	accepts, known = v.releases[release][probe]
	return accepts, known
}

// String returns the table: a line for each release, and then one for each probe,
// with a mark for each release: + it has it, - it does not, ? not tried.
func (v *Verdicts) String() string {
	var out strings.Builder
	probes := map[string]bool{}
	releases := v.Releases()
	for _, r := range releases {
		out.WriteString("# " + r + "\n")
		for p := range v.releases[r] {
			probes[p] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(probes)) {
		for _, r := range releases {
			mark := byte('?')
			if accepts, known := v.Of(r, p); known {
				mark = "-+"[map[bool]int{true: 1}[accepts]]
			}
			out.WriteByte(mark)
		}
		out.WriteString(" " + p + "\n")
	}
	return out.String()
}
