// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// Find the block in the configuration that an instance comes from. Instance
// keys may hold dots, brackets and quotes, so splitting the text would go
// wrong.
func ExampleAbsResourceInstance_findConfigurationBlock() {
	a, err := addrs.ParseAbsResourceInstance(`module.site["eu.north[1]"].aws_instance.web["a\"b"]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	key, _ := a.Key().Str()
	fmt.Println("block:   ", a.Config())
	fmt.Println("module:  ", a.Module())
	fmt.Println("type:    ", a.Resource().Type())
	fmt.Println("for_each:", key)
	// Output:
	// block:    module.site.aws_instance.web
	// module:   module.site["eu.north[1]"]
	// type:     aws_instance
	// for_each: a"b
}

// Count the instances per resource. All addresses can be keys of maps, and
// Compare gives the order in which OpenTofu lists them.
func ExampleAbsResource_countInstances() {
	counts := make(map[addrs.AbsResource]int)
	for _, s := range []string{`t.b["x"]`, "t.b[10]", "module.m[1].t.a", "data.t.c", "t.b[9]"} {
		counts[addrs.MustParseAbsResourceInstance(s).AbsResource()]++
	}
	resources := make([]addrs.AbsResource, 0, len(counts))
	for r := range counts {
		resources = append(resources, r)
	}
	slices.SortFunc(resources, addrs.AbsResource.Compare)
	for _, r := range resources {
		fmt.Println(r, counts[r])
	}
	// Output:
	// data.t.c 1
	// t.b 3
	// module.m[1].t.a 1
}

// Build the address of an instance from a key that anybody may have chosen,
// for the option -replace. The key is quoted as OpenTofu wants it.
func ExampleStringKey_quoteForCommandLine() {
	r, err := addrs.NewResource(addrs.Managed, "aws_instance", "web")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := addrs.ModuleInstance{}.Child("site", addrs.IntKey(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.In(m).Instance(addrs.StringKey("${env}/\"blue\"")))
	// Output:
	// module.site[0].aws_instance.web["$${env}/\"blue\""]
}

// Keep what -target would keep.
func ExampleTarget_filterLikeTargetOption() {
	target := addrs.MustParseTarget("module.site")
	for _, s := range []string{"aws_vpc.main", `module.site["eu"].aws_instance.web[0]`, "module.sites.aws_instance.web"} {
		if target.Contains(addrs.MustParseTarget(s)) {
			fmt.Println(s)
		}
	}
	// Output:
	// module.site["eu"].aws_instance.web[0]
}

// Tell which resources an expression depends on, from the "references" of plan
// JSON. Every reference is followed there by shorter forms of itself.
func ExampleParsePlanReference_findDependencies() {
	references := []string{
		`aws_subnet.a["x"].id`, `aws_subnet.a["x"]`, "aws_subnet.a",
		"var.tags", "module.net.vpc_id", "module.net",
	}
	seen := make(map[string]bool)
	for _, s := range references {
		ref, err := addrs.ParsePlanReference(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		dependency := ""
		if r, ok := ref.Resource(); ok {
			dependency = "resource " + r.String()
		} else if call, ok := ref.ModuleCall(); ok {
			dependency = "module " + call
		}
		if dependency != "" && !seen[dependency] {
			seen[dependency] = true
			fmt.Println(dependency)
		}
	}
	// Output:
	// resource aws_subnet.a
	// module net
}

// Decide whether two ways to write a source mean the same provider.
func ExampleProvider_sameProvider() {
	a := addrs.MustParseProvider("hashicorp/aws")
	b := addrs.MustParseProvider("registry.OpenTofu.org:443/HashiCorp/AWS")
	fmt.Println(a == b)
	fmt.Println(b, "or", b.ForDisplay())

	// In Terraform the same short form is another provider.
	c, err := a.WithHost(addrs.TerraformHost)
	fmt.Println(c, err)
	// Output:
	// true
	// registry.opentofu.org/hashicorp/aws or hashicorp/aws
	// registry.terraform.io/hashicorp/aws <nil>
}

// Choose the version to install, as OpenTofu does for a provider.
func ExampleConstraints_chooseVersion() {
	var offered []addrs.Version
	for _, s := range []string{"4.0.0", "4.67.0", "5.0.0-beta1", "4.9.0"} {
		offered = append(offered, addrs.MustParseVersion(s))
	}
	// The constraints of all modules count.
	wanted := addrs.JoinConstraints(
		addrs.MustParseConstraints(">=4.0"),
		addrs.MustParseConstraints("!= 4.67.0,< 6"),
	)
	newest, ok := wanted.Newest(slices.Values(offered))
	fmt.Println("constraints:", wanted)
	fmt.Println("newest:", newest, ok)
	// Output:
	// constraints: >= 4.0.0, != 4.67.0, < 6.0.0
	// newest: 4.9.0 true
}

// Tell what the hashes of a lock are good for. zh is of a zip file and h1 of
// its content; nothing else counts.
func ExampleHash_whatCounts() {
	for _, h := range []addrs.Hash{
		"h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
		"zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"sha512:cf83e1357eefb8bd",
	} {
		fmt.Println(h.Scheme(), h.IsPreferred())
	}
	// Output:
	// h1 true
	// zh true
	// sha512 false
}

// List where modules come from, and pin down what to fetch.
func ExampleModuleSource_whereFrom() {
	for _, s := range []string{"../net", "terraform-aws-modules/vpc/aws//modules/x", "github.com/acme/net//sub?ref=v2"} {
		m, err := addrs.ParseModuleSource(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-8s %s, directory %q\n", m.Kind(), m.Package(), m.Subdir())
	}
	// Output:
	// local    ../net, directory ""
	// registry registry.opentofu.org/terraform-aws-modules/vpc/aws, directory "modules/x"
	// remote   git::https://github.com/acme/net.git?ref=v2, directory "sub"
}

// Read addresses straight out of JSON, also as keys of an object.
func ExampleAbsResourceInstance_json() {
	var report struct {
		Cost map[addrs.AbsResourceInstance]float64 `json:"cost"`
	}
	err := json.Unmarshal([]byte(`{"cost": {"aws_instance.web[0]": 12.5}}`), &report)
	fmt.Println(report.Cost[addrs.MustParseAbsResourceInstance("aws_instance.web[0]")], err)

	err = json.Unmarshal([]byte(`{"cost": {"aws_instance.web[x]": 12.5}}`), &report)
	var e *addrs.Error
	if errors.As(err, &e) {
		fmt.Println(e.Offset, e.Err)
	}
	// Output:
	// 12.5 <nil>
	// 17 found 'x' where a quoted string or a whole number is expected
}
