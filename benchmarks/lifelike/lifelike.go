// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lifelike makes plans, states and message streams in the shape that
// cloud providers give them: resources with 5 to 60 small attributes, nested
// blocks, tags, policies as JSON text in strings, modules three levels deep with
// for_each, a configuration of a tenth of the text, and changes that touch one
// attribute. Small documents have a few small resources, each with a block of its
// own in the configuration, which is a quarter of the text. The same arguments give
// the same bytes.
package lifelike

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Plan returns a plan of about n bytes of compact text.
func Plan(n int, indent bool) []byte {
	m := grow(n, func(m *maker) any { return m.plan() })
	return text(m.plan(), indent)
}

// State returns a state of about n bytes of compact text.
func State(n int, indent bool) []byte {
	m := grow(n, func(m *maker) any { return m.state() })
	return text(m.state(), indent)
}

// Stream returns the messages of a run of about n bytes.
func Stream(n int) []byte {
	m := newMaker()
	var b bytes.Buffer
	line := func(message string, typ string, more map[string]any) {
		at := fmt.Sprintf("2026-03-01T12:%02d:%02d.%06dZ", b.Len()/60000%60, b.Len()/1000%60, b.Len()%1000000)
		o := map[string]any{"@level": "info", "@message": message, "@module": "tofu.ui", "@timestamp": at, "type": typ}
		for k, v := range more {
			o[k] = v
		}
		b.Write(text(o, false))
	}
	line("OpenTofu 1.12.6", "version", map[string]any{"tofu": "1.12.6", "ui": "1.2"})
	for b.Len() < n {
		r := m.resource()
		at := map[string]any{"addr": r.address, "module": r.module, "resource": strings.TrimPrefix(r.address, r.module+"."),
			"implied_provider": "aws", "resource_type": r.kind.name, "resource_name": r.name, "resource_key": r.key}
		id := "i-" + m.hex(17)
		hook := func(more map[string]any) map[string]any {
			h := map[string]any{"resource": at, "action": "create"}
			for k, v := range more {
				h[k] = v
			}
			return map[string]any{"hook": h}
		}
		line(r.address+": Plan to create", "planned_change", map[string]any{"change": map[string]any{"resource": at, "action": "create"}})
		line(r.address+": Creating...", "apply_start", hook(nil))
		for s := 10; s < 10+m.IntN(30); s += 10 {
			line(fmt.Sprintf("%s: Still creating... [%ds elapsed]", r.address, s), "apply_progress", hook(map[string]any{"elapsed_seconds": s}))
		}
		line(fmt.Sprintf("%s: Creation complete after 31s [id=%s]", r.address, id), "apply_complete", hook(map[string]any{"id_key": "id", "id_value": id, "elapsed_seconds": 31}))
	}
	return b.Bytes()
}

// smallDocument is the size below which a resource of any kind would be too large
// a part of a document for its size to be as asked for.
const smallDocument = 50_000

// grow finds how many resources make n bytes.
func grow(n int, document func(*maker) any) *maker {
	if n < smallDocument {
		return fit(n, document)
	}
	m := newMaker()
	for have := 1; ; {
		for len(m.resources) < have {
			m.resources = append(m.resources, m.resource())
		}
		size := len(text(document(m), false))
		if size >= n {
			return m
		}
		// As many more as the mean says, and at least one.
		have += max(1, (n-size)*len(m.resources)/(size+1)*9/10)
	}
}

// fit makes resources and keeps those that fit, until they make n bytes. The first
// is one of the root module that is updated. Fewer than 4,000 bytes may be too few
// for any.
func fit(n int, document func(*maker) any) *maker {
	m := newMaker()
	m.small = true
	for size, tries := 0, 0; size < n-n/20 && tries < 10_000; tries++ {
		r := m.resource()
		if len(m.resources) == 0 && (r.module != "" || r.action != "update") || len(text(r.values, false)) > n/8 {
			continue
		}
		m.resources = append(m.resources, r)
		if made := len(text(document(m), false)); made <= n+n/20 {
			size = made
		} else {
			m.resources = m.resources[:len(m.resources)-1]
		}
	}
	return m
}

func text(v any, indent bool) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(true)
	if indent {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		panic(err) // maps and structs of plain values
	}
	return b.Bytes()
}

// A kind is a type of resource: its number of attributes of each sort.
type kind struct {
	name                                      string
	texts, bools, numbers, nulls, computed    int
	tags, policy, lists, blocks, blockMembers int
}

var kinds = []kind{
	{name: "aws_s3_bucket", texts: 9, bools: 3, nulls: 8, computed: 5, tags: 4, blocks: 3, blockMembers: 4},
	{name: "aws_instance", texts: 14, bools: 9, numbers: 5, nulls: 14, computed: 12, tags: 6, lists: 3, blocks: 4, blockMembers: 9},
	{name: "aws_security_group_rule", texts: 6, bools: 1, numbers: 2, nulls: 3, computed: 2, lists: 2},
	{name: "aws_iam_role", texts: 6, bools: 1, numbers: 1, nulls: 2, computed: 4, tags: 3, policy: 1, lists: 1},
	{name: "aws_iam_policy", texts: 4, nulls: 1, computed: 3, policy: 1},
	{name: "aws_route53_record", texts: 4, numbers: 1, nulls: 6, computed: 2, lists: 1},
	{name: "aws_db_instance", texts: 22, bools: 12, numbers: 8, nulls: 12, computed: 10, tags: 5, lists: 2, blocks: 1, blockMembers: 3},
	{name: "aws_lb_target_group", texts: 8, bools: 3, numbers: 5, nulls: 4, computed: 3, tags: 3, blocks: 2, blockMembers: 7},
	{name: "random_id", texts: 1, numbers: 1, nulls: 1, computed: 4},
	{name: "kubernetes_manifest", texts: 3, nulls: 2, computed: 1, blocks: 2, blockMembers: 14, tags: 4},
}

// words name attributes. The same type always has the same names.
var words = strings.Fields("name description region zone size engine version subnet network role owner class mode status key path target endpoint domain bucket cluster group family image alias window cidr prefix protocol type format source state scope level policy term cipher queue topic stage")

type maker struct {
	*rand.Rand
	resources []resource
	small     bool
}

func newMaker() *maker { return &maker{Rand: rand.New(rand.NewPCG(5, 7))} }

type resource struct {
	kind                       kind
	module, name, address, key string
	values                     map[string]any
	unknown                    map[string]any
	sensitive                  map[string]any
	action                     string
	changed                    string
}

func (m *maker) hex(n int) string {
	const digits = "0123456789abcdef"
	b := make([]byte, n)
	for i := range b {
		b[i] = digits[m.IntN(16)]
	}
	return string(b)
}

func (m *maker) word() string { return words[m.IntN(len(words))] }

func (m *maker) phrase() string {
	switch m.IntN(6) {
	case 0:
		return fmt.Sprintf("arn:aws:service:eu-central-1:%012d:%s/%s-%s", m.Int64N(1e12), m.word(), m.word(), m.hex(8))
	case 1:
		return m.word() + "-" + m.hex(6) + ".example.net"
	case 2:
		return fmt.Sprintf("10.%d.%d.0/24", m.IntN(256), m.IntN(256))
	case 3:
		return m.word() + " of the " + m.word() + ", managed by the platform team"
	default:
		return m.word() + "-" + m.hex(4)
	}
}

func (m *maker) policy() string {
	statement := map[string]any{"Effect": "Allow", "Action": []string{"s3:GetObject", "s3:ListBucket", "kms:Decrypt"}, "Resource": m.phrase(), "Sid": m.hex(6),
		"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceVpc": "vpc-" + m.hex(17)}}}
	return strings.TrimSuffix(string(text(map[string]any{"Version": "2012-10-17", "Statement": []any{statement, statement}}, false)), "\n")
}

func attribute(i int, sort string) string { return words[i%len(words)] + "_" + sort }

func (m *maker) values(k kind) (values, unknown, sensitive map[string]any) {
	values, unknown, sensitive = map[string]any{}, map[string]any{}, map[string]any{}
	for i := range k.texts {
		values[attribute(i, "name")] = m.phrase()
	}
	for i := range k.bools {
		values[attribute(i, "enabled")] = m.IntN(2) == 0
	}
	for i := range k.numbers {
		values[attribute(i, "count")] = m.IntN(10000)
	}
	for i := range k.nulls {
		values[attribute(i, "override")] = nil
	}
	for i := range k.computed {
		unknown[attribute(i, "id")] = true
	}
	if k.tags > 0 {
		tags := map[string]any{}
		for i := range k.tags {
			tags[[]string{"Name", "Owner", "CostCenter", "Environment", "Terraform", "Service"}[i]] = m.phrase()
		}
		values["tags"], values["tags_all"] = tags, tags
		unknown["tags"], unknown["tags_all"] = map[string]any{}, map[string]any{}
		sensitive["tags"], sensitive["tags_all"] = map[string]any{}, map[string]any{}
	}
	for range k.policy {
		values["policy"] = m.policy()
	}
	for i := range k.lists {
		list := []any{}
		for range 1 + m.IntN(4) {
			list = append(list, m.phrase())
		}
		values[attribute(i, "ids")] = list
		sensitive[attribute(i, "ids")] = make([]bool, len(list))
	}
	for i := range k.blocks {
		block := map[string]any{}
		for j := range k.blockMembers {
			switch j % 4 {
			case 0:
				block[attribute(j, "type")] = m.phrase()
			case 1:
				block[attribute(j, "size")] = m.IntN(500)
			case 2:
				block[attribute(j, "enabled")] = true
			default:
				block[attribute(j, "key")] = nil
			}
		}
		values[attribute(i, "block")] = []any{block}
		unknown[attribute(i, "block")] = []any{map[string]any{}}
		sensitive[attribute(i, "block")] = []any{map[string]any{}}
	}
	return values, unknown, sensitive
}

func (m *maker) resource() resource {
	r := resource{kind: kinds[m.IntN(len(kinds))], name: m.word()}
	switch m.IntN(4) {
	case 0:
	case 1:
		r.module = fmt.Sprintf("module.%s", m.word())
	case 2:
		r.module = fmt.Sprintf("module.%s[%q].module.%s", m.word(), m.word(), m.word())
	default:
		r.module = fmt.Sprintf("module.%s[%q].module.%s.module.%s[%d]", m.word(), m.word(), m.word(), m.word(), m.IntN(3))
	}
	r.address = r.kind.name + "." + r.name
	if r.module != "" {
		r.address = r.module + "." + r.address
	}
	if m.IntN(2) == 0 {
		r.key = m.word() + m.hex(2)
		r.address += fmt.Sprintf("[%q]", r.key)
	}
	r.values, r.unknown, r.sensitive = m.values(r.kind)
	r.action = []string{"no-op", "no-op", "update", "create", "delete", "create"}[m.IntN(6)]
	for name := range r.values {
		if _, ok := r.values[name].(string); ok && (r.changed == "" || name < r.changed) {
			r.changed = name
		}
	}
	return r
}

// document is a resource as values list it.
func (r resource) document(known bool) map[string]any {
	values := map[string]any{}
	for k, v := range r.values {
		values[k] = v
	}
	if known {
		for k := range r.unknown {
			if _, ok := values[k]; !ok {
				values[k] = r.kind.name + "-" + k + "-0123456789abcdef0"
			}
		}
	}
	d := map[string]any{"address": r.address, "mode": "managed", "type": r.kind.name, "name": r.name, "provider_name": "registry.opentofu.org/hashicorp/aws",
		"schema_version": 1, "values": values, "sensitive_values": r.sensitive}
	if r.key != "" {
		d["index"] = r.key
	}
	return d
}

// modules arranges resources in a tree.
func (m *maker) modules(keep func(resource) bool, known bool) map[string]any {
	root := map[string]any{}
	all := map[string]map[string]any{"": root}
	var module func(address string) map[string]any
	module = func(address string) map[string]any {
		if found := all[address]; found != nil {
			return found
		}
		parent := module(strings.TrimSuffix(address[:max(strings.LastIndex("."+address, ".module.")-1, 0)], "."))
		made := map[string]any{"address": address}
		all[address] = made
		children, _ := parent["child_modules"].([]any)
		parent["child_modules"] = append(children, made)
		return made
	}
	for _, r := range m.resources {
		if keep(r) {
			in := module(r.module)
			list, _ := in["resources"].([]any)
			in["resources"] = append(list, r.document(known))
		}
	}
	return root
}

func (m *maker) state() any {
	return struct {
		FormatVersion    string         `json:"format_version"`
		TerraformVersion string         `json:"terraform_version"`
		Values           map[string]any `json:"values"`
	}{"1.0", "1.12.6", map[string]any{
		"outputs":     map[string]any{"endpoint": map[string]any{"sensitive": false, "type": "string", "value": "https://example.net"}},
		"root_module": m.modules(func(resource) bool { return true }, true),
	}}
}

func (m *maker) plan() any {
	type plan struct {
		FormatVersion    string         `json:"format_version"`
		TerraformVersion string         `json:"terraform_version"`
		Variables        map[string]any `json:"variables"`
		PlannedValues    map[string]any `json:"planned_values"`
		ResourceChanges  []any          `json:"resource_changes"`
		OutputChanges    map[string]any `json:"output_changes"`
		PriorState       any            `json:"prior_state"`
		Configuration    map[string]any `json:"configuration"`
		Timestamp        string         `json:"timestamp"`
		Applyable        bool           `json:"applyable"`
		Complete         bool           `json:"complete"`
		Errored          bool           `json:"errored"`
	}
	p := plan{FormatVersion: "1.2", TerraformVersion: "1.12.6", Timestamp: "2026-03-01T12:00:00Z", Applyable: true, Complete: true,
		Variables:     map[string]any{"region": map[string]any{"value": "eu-central-1"}, "zones": map[string]any{"value": []string{"a", "b", "c"}}},
		OutputChanges: map[string]any{"endpoint": map[string]any{"actions": []string{"create"}, "before": nil, "after_unknown": true, "before_sensitive": false, "after_sensitive": false}},
		PlannedValues: map[string]any{"root_module": m.modules(func(r resource) bool { return r.action != "delete" }, false)},
	}
	prior := func(r resource) bool { return r.action != "create" }
	p.PriorState = map[string]any{"format_version": "1.0", "terraform_version": "1.12.6", "values": map[string]any{"root_module": m.modules(prior, true)}}
	for _, r := range m.resources {
		p.ResourceChanges = append(p.ResourceChanges, r.change())
	}
	p.Configuration = m.configuration()
	return p
}

func (r resource) change() any {
	before, after := any(nil), any(nil)
	unknown, beforeMarks, afterMarks := any(map[string]any{}), any(false), any(false)
	full := r.document(true)["values"]
	if r.action != "create" {
		before, beforeMarks = full, r.sensitive
	}
	switch r.action {
	case "no-op":
		after, afterMarks = full, r.sensitive
	case "update":
		edited := map[string]any{}
		for k, v := range full.(map[string]any) {
			edited[k] = v
		}
		edited[r.changed] = "changed-" + r.name
		after, afterMarks = edited, r.sensitive
	case "create":
		after, unknown, afterMarks = r.values, r.unknown, r.sensitive
	}
	d := map[string]any{"address": r.address, "mode": "managed", "type": r.kind.name, "name": r.name, "provider_name": "registry.opentofu.org/hashicorp/aws",
		"change": map[string]any{"actions": []string{r.action}, "before": before, "after": after, "after_unknown": unknown, "before_sensitive": beforeMarks, "after_sensitive": afterMarks}}
	if r.module != "" {
		d["module_address"] = r.module
	}
	if r.key != "" {
		d["index"] = r.key
	}
	return d
}

// configuration has a block for each third resource, as for_each and modules
// make several instances of one. In a small document each has its own.
func (m *maker) configuration() map[string]any {
	root := map[string]any{}
	calls := map[string]any{}
	var list []any
	step := 3
	if m.small {
		step = 1
	}
	for i := 0; i < len(m.resources); i += step {
		r := m.resources[i]
		expressions := map[string]any{}
		n := 0
		for _, name := range sortedKeys(r.values) {
			switch v := r.values[name].(type) {
			case nil:
			case string:
				if n++; n%3 == 0 {
					expressions[name] = map[string]any{"constant_value": v}
				} else {
					expressions[name] = map[string]any{"references": []string{"var." + r.name + "." + name, "var." + r.name, "local.settings"}}
				}
			case []any:
				if strings.HasSuffix(name, "_block") {
					expressions[name] = []any{map[string]any{"type_name": map[string]any{"constant_value": "gp3"}, "size": map[string]any{"references": []string{"each.value.size", "each.value"}}}}
				} else {
					expressions[name] = map[string]any{"references": []string{"aws_vpc." + r.name + ".id", "aws_vpc." + r.name}}
				}
			default:
				expressions[name] = map[string]any{"constant_value": v}
			}
		}
		block := map[string]any{"address": r.kind.name + "." + r.name, "mode": "managed", "type": r.kind.name, "name": r.name, "provider_config_key": "aws",
			"schema_version": 1, "expressions": expressions, "for_each_expression": map[string]any{"references": []string{"var." + r.name}}}
		if i%2 == 0 {
			list = append(list, block)
			continue
		}
		name := r.name + "_" + fmt.Sprint(i)
		calls[name] = map[string]any{"source": "./modules/" + r.name, "expressions": map[string]any{"settings": map[string]any{"references": []string{"local.settings"}}},
			"module": map[string]any{"resources": []any{block}, "variables": map[string]any{r.name: map[string]any{"description": "Settings of the " + r.name + "."}}}}
	}
	root["resources"], root["module_calls"] = list, calls
	return map[string]any{"provider_config": map[string]any{"aws": map[string]any{"name": "aws", "full_name": "registry.opentofu.org/hashicorp/aws",
		"expressions": map[string]any{"region": map[string]any{"references": []string{"var.region"}}}}}, "root_module": root}
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
