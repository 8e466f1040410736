// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

func list(n int, item func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = item(i)
	}
	return strings.Join(all, ",")
}

func times(n int, item string) string {
	return list(n, func(i int) string { return strings.ReplaceAll(item, "#", fmt.Sprint(i)) })
}

const (
	created  = `{"address":"#","mode":"managed","type":"t","name":"%s","index":#,"change":{"actions":["create"],"before":null,"after":{},"after_unknown":{"id":true}}}`
	refersTo = `{"address":"t.%s","mode":"managed","type":"t","name":"%s","expressions":{"x":{"references":[%s]}}}`
)

func counted(n int, name string) string {
	return list(n, func(i int) string {
		s := strings.Replace(fmt.Sprintf(created, name), "#", fmt.Sprintf("t.%s[%d]", name, i), 1)
		return strings.ReplaceAll(s, "#", fmt.Sprint(i))
	})
}

func single(n int, module, name string) string {
	return list(n, func(i int) string {
		at, in := "", ""
		if module != "" {
			at, in = module+".", `"module_address":"`+module+`",`
		}
		return fmt.Sprintf(`{"address":"%st.%s%d",%s"mode":"managed","type":"t","name":"%s%d","change":{"actions":["create"],"before":null,"after":{},"after_unknown":{"id":true}}}`, at, name, i, in, name, i)
	})
}

func blocks(n int, name, refs string) string {
	return list(n, func(i int) string {
		name := fmt.Sprint(name, i)
		return fmt.Sprintf(refersTo, name, name, strings.ReplaceAll(refs, "#", fmt.Sprint(i)))
	})
}

// TestProportion doubles plans that are made to be hard, and compares what the
// instances and their order allocate with the text.
func TestProportion(t *testing.T) {
	for name, make := range map[string]func(n int) (changes, module string, o plangraph.InstancesOptions){
		"all refer to all": func(n int) (string, string, plangraph.InstancesOptions) {
			return counted(n, "a") + "," + counted(n, "b"), `"resources":[` + fmt.Sprintf(refersTo, "a", "a", "") + "," + fmt.Sprintf(refersTo, "b", "b", `"t.a"`) + "]", plangraph.InstancesOptions{}
		},
		"index that is computed": func(n int) (string, string, plangraph.InstancesOptions) {
			return counted(n, "a") + "," + counted(n, "b"), `"resources":[` + fmt.Sprintf(refersTo, "a", "a", "") + "," + fmt.Sprintf(refersTo, "b", "b", `"t.a","count.index"`) + "]", plangraph.InstancesOptions{}
		},
		"a chain": func(n int) (string, string, plangraph.InstancesOptions) {
			return single(n, "", "a"), `"resources":[` + list(n, func(i int) string {
				return fmt.Sprintf(refersTo, fmt.Sprint("a", i), fmt.Sprint("a", i), fmt.Sprintf(`"t.a%d.id","t.a%d"`, i+1, i+1))
			}) + "]", plangraph.InstancesOptions{}
		},
		"a circle": func(n int) (string, string, plangraph.InstancesOptions) {
			return single(n, "", "a"), `"resources":[` + list(n, func(i int) string {
				return fmt.Sprintf(refersTo, fmt.Sprint("a", i), fmt.Sprint("a", i), fmt.Sprintf(`"t.a%d.id","t.a%d"`, (i+1)%n, (i+1)%n))
			}) + "]", plangraph.InstancesOptions{}
		},
		"a whole module of many outputs": func(n int) (string, string, plangraph.InstancesOptions) {
			outputs := times(n, `"o#":{"expression":{"references":["t.in#.id","t.in#"]}}`)
			return single(n, "module.m", "in") + "," + single(n, "", "a"), `"resources":[` + blocks(n, "a", `"module.m"`) + `],"module_calls":{"m":{"module":{"outputs":{` + outputs + `},"resources":[` + blocks(n, "in", "") + `]}}}`, plangraph.InstancesOptions{}
		},
		"a variable of many": func(n int) (string, string, plangraph.InstancesOptions) {
			return single(n, "module.m", "in") + "," + single(n, "", "a"), `"resources":[` + blocks(n, "a", "") + `],"module_calls":{"m":{"expressions":{"v":{"references":[` + times(n, `"t.a#.id","t.a#"`) + `]}},"module":{"variables":{"v":{}},"resources":[` + blocks(n, "in", `"var.v"`) + `]}}}`, plangraph.InstancesOptions{}
		},
		"a local of many": func(n int) (string, string, plangraph.InstancesOptions) {
			return single(n, "", "a") + "," + single(n, "", "b"), `"resources":[` + blocks(n, "a", "") + "," + blocks(n, "b", `"local.l"`) + `]`,
				plangraph.InstancesOptions{Locals: map[string]map[string][]string{"": {"l": strings.Split(strings.Trim(times(n, "t.a#.id"), ","), ",")}}}
		},
		"locals of locals": func(n int) (string, string, plangraph.InstancesOptions) {
			locals := map[string][]string{}
			for i := range n {
				locals[fmt.Sprint("l", i)] = []string{fmt.Sprint("local.l", i+1), fmt.Sprintf("t.a%d.id", i)}
			}
			return single(n, "", "a"), `"resources":[` + blocks(n, "a", "") + `],"outputs":{"o":{"expression":{"references":["local.l0"]}}}`, plangraph.InstancesOptions{Locals: map[string]map[string][]string{"": locals}}
		},
		"modules in modules": func(n int) (string, string, plangraph.InstancesOptions) {
			n /= 10
			var b strings.Builder
			changes := list(n, func(i int) string { return single(1, strings.TrimSuffix(strings.Repeat("module.m.", i+1), "."), "x") })
			for range n {
				b.WriteString(`"resources":[` + fmt.Sprintf(refersTo, "x0", "x0", `"var.v"`) + `],"variables":{"v":{}},"module_calls":{"m":{"expressions":{"v":{"references":["var.v","t.x0"]}},"module":{`)
			}
			return changes, b.String() + strings.Repeat("}}}", n), plangraph.InstancesOptions{}
		},
		"an output of many instances": func(n int) (string, string, plangraph.InstancesOptions) {
			return list(n, func(i int) string { return single(1, fmt.Sprintf("module.m[%d]", i), "x") }) + "," + single(n, "", "a"),
				`"resources":[` + blocks(n, "a", `"module.m.o"`) + `],"module_calls":{"m":{"count_expression":{"constant_value":1},"module":{"outputs":{"o":{"expression":{"references":["t.x0"]}}},"resources":[` + blocks(1, "x", "") + `]}}}`, plangraph.InstancesOptions{}
		},
		"instances of a module": func(n int) (string, string, plangraph.InstancesOptions) {
			return list(n, func(i int) string { return single(3, fmt.Sprintf("module.m[%d]", i), "x") }) + "," + single(n, "", "a"),
				`"resources":[` + blocks(n, "a", `"t.a0"`) + `],"module_calls":{"m":{"count_expression":{"references":["t.a1"]},"expressions":{"v":{"references":["t.a2"]}},"module":{"variables":{"v":{}},"resources":[` +
					blocks(3, "x", `"var.v","t.x0"`) + `]}}}`, plangraph.InstancesOptions{}
		},
		"blocks in a set": func(n int) (string, string, plangraph.InstancesOptions) {
			return single(1, "", "a"), `"resources":[{"address":"t.a0","mode":"managed","type":"t","name":"a0","expressions":{"b":[` + times(n, `{"c":{"constant_value":#}}`) + `]}}]`, plangraph.InstancesOptions{}
		},
	} {
		for _, actions := range []string{`"create"`, `"delete","create"`, `"create","delete"`} {
			t.Run(name+" "+actions, func(t *testing.T) { proportion(t, make, actions) })
		}
	}
}

// proportion is the test of plans in which every second instance has other actions than
// to be created.
func proportion(t *testing.T, make func(n int) (changes, module string, o plangraph.InstancesOptions), actions string) {
	bounds.Growth(t, "plans", depth.Of(60, 400, 400), 2, 2.8, func(n int) func() {
		changes, module, o := make(n)
		parts := strings.Split(changes, `"create"`)
		changes = parts[0]
		for i, part := range parts[1:] {
			changes += []string{actions, `"create"`}[i%2] + part
		}
		src := `{"format_version":"1.2","resource_changes":[` + changes + `],"configuration":{"root_module":{` + module + `}}}`
		p, err := planjson.DecodePlan([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			ops := plangraph.NewInstances(p, o).Operations()
			plangraph.CriticalPath(ops, nil)
			if len(ops) == 0 {
				t.Fatal("there are no operations")
			}
		}
	})
}
