// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// graphInput returns a plan of n instances: modules with for_each in three levels,
// whose resources refer to each other, to all instances of a block, and through
// variables and outputs to those of other levels.
func graphInput(n int) []byte {
	const leaves = 10 // resources in a module of the third level
	var b strings.Builder
	b.WriteString(`{"format_version":"1.2","terraform_version":"1.12.6","resource_changes":[`)
	add := func(module, name, key string) {
		address := "aws_thing." + name
		if module != "" {
			address = module + "." + address
			module = fmt.Sprintf(`"module_address":%q,`, module)
		}
		index := ""
		if key != "" {
			address += fmt.Sprintf("[%s]", key)
			index = fmt.Sprintf(`"index":%s,`, key)
		}
		fmt.Fprintf(&b, `{"address":%q,%s"mode":"managed","type":"aws_thing","name":"%s",%s"provider_name":"registry.opentofu.org/hashicorp/aws","change":{"actions":["create"],"before":null,`+
			`"after":{"name":"name of a thing","ami":"ami-0123456789abcdef0","size":3,"tags":{"Name":"thing","Environment":"production","Team":"platform"},"rules":[{"port":80,"cidr":"10.0.0.0/8"},{"port":443,"cidr":"10.0.0.0/8"}]},`+
			`"after_unknown":{"id":true,"arn":true,"up":true,"tags":{},"rules":[{},{}]},"before_sensitive":false,"after_sensitive":{"tags":{},"rules":[{},{}]}}},`, address, module, name, index)
	}
	count := 0
	for i := 0; count < n; i++ {
		m1 := fmt.Sprintf(`module.region["r%d"]`, i)
		add(m1, "top", "")
		for j := 0; j < 20 && count < n; j++ {
			m2 := fmt.Sprintf(`%s.module.zone["z%d"]`, m1, j)
			add(m2, "mid", "")
			for k := 0; k < 50 && count < n; k++ {
				m3 := fmt.Sprintf(`%s.module.app["a%d"]`, m2, k)
				add(m3, "base", "")
				for l := range leaves - 2 {
					add(m3, "node", fmt.Sprint(l))
				}
				add(m3, "last", "")
				count += leaves
			}
			count++
		}
		count++
	}
	add("", "end", "")
	text := strings.TrimSuffix(b.String(), ",")
	block := func(name, expressions string) string {
		return fmt.Sprintf(`{"address":"aws_thing.%s","mode":"managed","type":"aws_thing","name":"%s","provider_config_key":"aws","schema_version":0,"expressions":{%s}`, name, name, expressions)
	}
	const up = `"up":{"references":["var.up"]}`
	app := `"resources":[` + block("base", up) + `},` + block("node", `"up":{"references":["aws_thing.base.id","aws_thing.base"]},"name":{"references":["count.index","var.name"]}`) + `,"count_expression":{"constant_value":8}},` +
		block("last", `"up":{"references":["aws_thing.node"]},"name":{"references":["aws_thing.node[0].id","aws_thing.node[0]","aws_thing.node"]}`) + `}],"outputs":{"id":{"expression":{"references":["aws_thing.last.id","aws_thing.last"]}}},"variables":{"up":{},"name":{}}`
	call := func(name, up, each, module string) string {
		return fmt.Sprintf(`"module_calls":{"%s":{"source":"./%s","expressions":{"up":{"references":[%s]},"name":{"references":["each.key"]}},"for_each_expression":{"references":["%s"]},"module":{%s}}}`, name, name, up, each, module)
	}
	zone := `"resources":[` + block("mid", up) + `}],"outputs":{"ids":{"expression":{"references":["module.app"]}}},"variables":{"up":{},"name":{}},` + call("app", `"aws_thing.mid.id","aws_thing.mid"`, "var.name", app)
	region := `"resources":[` + block("top", up) + `}],"outputs":{"ids":{"expression":{"references":["module.zone"]}}},"variables":{"up":{},"name":{}},` + call("zone", `"aws_thing.top.id","aws_thing.top"`, "var.name", zone)
	text += `],"configuration":{"provider_config":{"aws":{"name":"aws","full_name":"registry.opentofu.org/hashicorp/aws"}},"root_module":{"variables":{"regions":{},"up":{}},"resources":[` +
		block("end", `"up":{"references":["module.region[\"r0\"].ids","module.region[\"r0\"]","module.region"]}`) + `}],` + call("region", `"var.up"`, "var.regions", region) + `}}}`
	return []byte(text)
}

func graphOf(b testing.TB, text []byte) (*planjson.Plan, *plangraph.Instances) {
	b.Helper()
	p, err := planjson.DecodePlan(text)
	if err != nil {
		b.Fatal(err)
	}
	return p, plangraph.NewInstances(p, plangraph.InstancesOptions{})
}

// BenchmarkGraphPlan compares decoding a plan with making the graph of its
// instances, and putting their operations in order.
func BenchmarkGraphPlan(b *testing.B) {
	for _, size := range sizes("1k", "100k") {
		var n int
		fmt.Sscanf(size, "%dk", &n)
		text := graphInput(n * 1000)
		p, x := graphOf(b, text)
		compare(b, size, int64(len(text)),
			impl{"decode", func() error { return decodePlan(text) }},
			impl{"tofuwire", func() error { sink = plangraph.NewInstances(p, plangraph.InstancesOptions{}); return nil }},
			impl{"order", func() error { sink = x.Operations(); return nil }},
		)
	}
}

// BenchmarkGraphQuery asks for one instance of a plan.
func BenchmarkGraphQuery(b *testing.B) {
	for _, size := range sizes("1k", "100k") {
		var n int
		fmt.Sscanf(size, "%dk", &n)
		text := graphInput(n * 1000)
		_, x := graphOf(b, text)
		const address = `module.region["r0"].module.zone["z0"].module.app["a7"].aws_thing.node[3].up`
		i, _ := x.Split(address)
		links := 0
		compare(b, size, 0,
			impl{"split", func() error { i, _ = x.Split(address); return nil }},
			impl{"needs", func() error {
				for range x.Needs(i, "up") {
					links++
				}
				return nil
			}},
			impl{"needed-by", func() error {
				for range x.NeededBy(i, "") {
					links++
				}
				return nil
			}},
		)
		if links == 0 {
			b.Error("there are no links")
		}
	}
}
