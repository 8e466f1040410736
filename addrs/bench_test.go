// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

const (
	plainAddress = `module.network["eu-west-1"].module.subnet[3].aws_route_table_association.private["10.0.0.0/16"]`
	oddAddress   = `module.network["a.b"].aws_instance.web["q\"$${x}"]`
	formAddress  = `module . network [ "eu" ] . aws_instance . web [ 01 ]`
)

// Results of benchmarks, kept here to stop the compiler from removing the work.
var (
	sinkInstance addrs.AbsResourceInstance
	sinkProvider addrs.Provider
	sinkVersion  addrs.Version
	sinkString   string
	sinkBool     bool
	sinkInt      int
)

func benchmarkParse[T any](b *testing.B, in string, parse func(string) (T, error)) {
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseAbsResourceInstance(b *testing.B) {
	for name, in := range map[string]string{"plain": plainAddress, "escaped": oddAddress, "spaced": formAddress} {
		b.Run(name, func(b *testing.B) { benchmarkParse(b, in, addrs.ParseAbsResourceInstance) })
	}
}

func BenchmarkParseReference(b *testing.B) {
	benchmarkParse(b, `module.net["eu"].subnets[0].id`, addrs.ParseReference)
}

func BenchmarkParseProvider(b *testing.B) {
	for name, in := range map[string]string{
		"normal": "registry.opentofu.org/hashicorp/aws", "short": "hashicorp/aws", "international": "bücher.example/acme/widget",
	} {
		b.Run(name, func(b *testing.B) { benchmarkParse(b, in, addrs.ParseProvider) })
	}
}

func BenchmarkParseVersion(b *testing.B) { benchmarkParse(b, "5.31.0", addrs.ParseVersion) }

func BenchmarkParseConstraints(b *testing.B) {
	benchmarkParse(b, ">= 3.10.0, != 4.0.1, < 5.0.0", addrs.ParseConstraints)
}

func BenchmarkParseModuleSource(b *testing.B) {
	benchmarkParse(b, "terraform-aws-modules/vpc/aws", addrs.ParseModuleSource)
}

func BenchmarkAllows(b *testing.B) {
	c := addrs.MustParseConstraints(">= 3.10.0, != 4.0.1, < 5.0.0")
	v := addrs.MustParseVersion("4.67.0")
	b.ReportAllocs()
	for b.Loop() {
		sinkBool = c.Allows(v)
	}
}

func BenchmarkCompare(b *testing.B) {
	x := addrs.MustParseAbsResourceInstance(plainAddress)
	y := addrs.MustParseAbsResourceInstance(strings.Replace(plainAddress, "/16", "/17", 1))
	b.ReportAllocs()
	for b.Loop() {
		sinkInt = x.Compare(y)
	}
}

// TestAllocations checks the promises about allocations.
func TestAllocations(t *testing.T) {
	odd := addrs.MustParseAbsResourceInstance(oddAddress)
	plain := addrs.MustParseAbsResourceInstance(plainAddress)
	constraints := addrs.MustParseConstraints(">= 3.10.0, != 4.0.1, < 5.0.0")
	version := addrs.MustParseVersion("4.67.0")
	versions := []addrs.Version{version, addrs.MustParseVersion("4.66.1")}
	set := map[addrs.AbsResourceInstance]bool{plain: true}
	for name, f := range map[string]func(){
		"parse a normal address":    func() { sinkInstance, _ = addrs.ParseAbsResourceInstance(plainAddress) },
		"parse a normal provider":   func() { sinkProvider, _ = addrs.ParseProvider("registry.opentofu.org/hashicorp/aws") },
		"parse a normal version":    func() { sinkVersion, _ = addrs.ParseVersion("5.31.0-beta.1") },
		"parse a normal reference":  func() { _, _ = addrs.ParseReference(`module.net["eu"].subnets[0].id`) },
		"parse a normal module":     func() { _, _ = addrs.ParseModuleInstance(`module.a["x"].module.b`) },
		"parse a normal target":     func() { _, _ = addrs.ParseTarget(`module.a["x"].module.b`) },
		"parse a normal platform":   func() { _, _ = addrs.ParsePlatform("linux_amd64") },
		"parse a hash":              func() { _, _ = addrs.ParseHash(emptyH1) },
		"print":                     func() { sinkString = odd.String() },
		"parts":                     func() { sinkString = odd.Module().Parent().String() + odd.Resource().Type() },
		"plain key":                 func() { sinkString, sinkBool = plain.Key().Str() },
		"static module of the root": func() { sinkString = addrs.ModuleInstance{}.Module().String() },
		"compare":                   func() { sinkInt = plain.Compare(odd) },
		"look up":                   func() { sinkBool = set[plain] },
		"allows":                    func() { sinkBool = constraints.Allows(version) },
		"newest":                    func() { sinkVersion, _ = constraints.Newest(slices.Values(versions)) },
		"compare versions":          func() { sinkInt = versions[0].Compare(versions[1]) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
