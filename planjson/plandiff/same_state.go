// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// state compares two states, which are documents if prefix is empty. Objects at an
// address in known are passed over: it is known already that they differ.
func (c *comparer) state(prefix string, a, b planjson.Value, known map[string]bool) {
	if bytes.Equal(a, b) {
		return
	}
	p := subject{address: "plan", what: prefix}
	if prefix == "" {
		p.address = "state"
	}
	if prefix != "" && (a == nil) != (b == nil) {
		c.only(p, b == nil, "present")
	}
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		q := p.at(name)
		switch name {
		case "format_version", "terraform_version":
			if q.version = true; a != nil && b != nil {
				c.value(q, x[name], y[name])
			}
		case "values":
			c.values(prefix, x[name], y[name], known)
		case "checks":
			c.checks(prefix, x[name], y[name])
		default:
			q.secret = true
			c.value(q, x[name], y[name])
		}
	}
}

// values compares planned values, or those of a state.
func (c *comparer) values(prefix string, a, b planjson.Value, known map[string]bool) {
	if bytes.Equal(a, b) {
		return
	}
	p := subject{address: "plan", what: prefix}
	if prefix == "" {
		p.address = "state"
	}
	// No tool leaves these out, and what there is in them is compared below.
	presence := func(p subject, a, b planjson.Value) {
		if prefix != "" && ((a == nil) != (b == nil) || a.Kind() != b.Kind()) {
			p.secret = true
			c.add(p, c.show(p, a, 0), c.show(p, b, 1))
		}
	}
	presence(p, a, b)
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		switch name {
		case "outputs":
			c.valuesOutputs(prefix, x[name], y[name], known)
		case "root_module":
			if a != nil && b != nil {
				presence(p.at(name), x[name], y[name])
			}
			v, w := flatten(x[name]), flatten(y[name])
			eachPair(v.objects, w.objects, func(v, w *listedObject) { c.object(prefix, v, w, known) })
			for _, address := range union(v.rest, w.rest) {
				q := p
				q.secret, q.address = true, cmp.Or(address, p.address)
				c.rest(q, v.rest[address], w.rest[address], "Module")
			}
			c.modules(p, v, w)
		default:
			q := p.at(name)
			q.secret = true
			c.value(q, x[name], y[name])
		}
	}
}

// modules compares the addresses of modules, if nothing else differs: mostly they do because
// of an object in them.
func (c *comparer) modules(p subject, a, b flat) {
	if slices.ContainsFunc(c.list, func(d Difference) bool { return !d.Version }) {
		return
	}
	for _, address := range union(a.modules, b.modules) {
		if x, y := a.modules[address], b.modules[address]; x != y {
			p.address = cmp.Or(address, p.address)
			c.add(p.at("modules"), strconv.Itoa(x), strconv.Itoa(y))
		}
	}
}

// A flat has the objects of a tree of modules, how many modules have an address, and the
// members of modules that this package does not know, by address.
type flat struct {
	objects map[string]*listedObject
	modules map[string]int
	rest    map[string]map[string]planjson.Value
}

func flatten(root planjson.Value) flat {
	f := flat{make(map[string]*listedObject), make(map[string]int), make(map[string]map[string]planjson.Value)}
	count := make(map[string]int)
	for open := []planjson.Value{root}; len(open) > 0; {
		module := open[len(open)-1]
		open = open[:len(open)-1]
		all := parts(module)
		address := text(all["address"])
		f.modules[address]++
		for _, r := range all["resources"].Elements() {
			x := &listedObject{all: parts(r)}
			x.address = plantext.Absolute(address, text(x.all["address"]), x.all["index"])
			x.deposed = text(x.all["deposed_key"])
			key := x.address + "\x00" + x.deposed
			x.number = count[key]
			count[key]++
			f.objects[key+"\x00"+strconv.Itoa(x.number)] = x
		}
		for _, m := range all["child_modules"].Elements() {
			open = append(open, m)
		}
		for _, name := range []string{"address", "resources", "child_modules"} {
			delete(all, name)
		}
		if len(all) > 0 {
			f.rest[address] = all
		}
	}
	return f
}

// object compares an object of planned values or of a state.
func (c *comparer) object(prefix string, x, y *listedObject, known map[string]bool) {
	one := cmp.Or(x, y)
	if known[printable.Text(one.address)] || known[one.address] {
		return
	}
	p := subject{address: one.address, what: prefix}
	if one.deposed != "" {
		p.what = "deposed " + printable.Text(one.deposed) + ": " + prefix
	}
	if x == nil || y == nil {
		if prefix == "" {
			p.what += "object"
		}
		c.only(p, y == nil, "present")
		return
	}
	v := p
	v.masks = append([]planjson.Value{x.all["sensitive_values"], y.all["sensitive_values"]}, c.masksOf(one.address)...)
	v.shape = c.shapes.resource(text(x.all["provider_name"]), resourceMode(x.all), text(x.all["type"]))
	c.value(v.at("values"), x.all["values"], y.all["values"])
	if !notCompared[prefix+".sensitive_values"] {
		c.mask(p.at("sensitive_values"), x.all["sensitive_values"], y.all["sensitive_values"])
	}
	c.unordered(p.at("depends_on"), x.all["depends_on"], y.all["depends_on"])
	c.rest(p, x.all, y.all, "Resource", "values", "sensitive_values", "depends_on", "address", "deposed_key")
}

// masksOf returns the masks of the changes at an address, in either document: planned
// values do not mark what a change marks.
func (c *comparer) masksOf(address string) []planjson.Value {
	if c.marks == nil {
		c.marks = make(map[string][]planjson.Value)
		for _, doc := range c.docs {
			for _, list := range []string{"resource_changes", "resource_drift"} {
				for _, e := range doc.Member(list).Elements() {
					all := parts(e)
					address, _ := changeKey(all)
					for _, m := range []string{"before_sensitive", "after_sensitive"} {
						if mask := all["change"].Member(m); plantext.HasTrue(mask) {
							c.marks[address] = append(c.marks[address], mask)
						}
					}
				}
			}
		}
	}
	return c.marks[address]
}

func (c *comparer) valuesOutputs(prefix string, a, b planjson.Value, known map[string]bool) {
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		p := subject{address: "output." + name, what: prefix}
		if known[printable.Text(p.address)] {
			continue
		}
		if x[name] == nil || y[name] == nil {
			if prefix == "" {
				p.what = "output"
			}
			c.only(p, y[name] == nil, "present")
			continue
		}
		v, w := parts(x[name]), parts(y[name])
		if c.secrets().outputs[name] {
			p.masks = []planjson.Value{planjson.Literal(true)}
		}
		c.value(p.at("value"), v["value"], w["value"])
		c.value(p.at("type"), v["type"], w["type"])
		p.masks = nil
		c.rest(p, v, w, "Output", "value", "type")
	}
}

// configuration compares two configurations. Constants are not shown: nothing marks
// those that are secret.
func (c *comparer) configuration(a, b planjson.Value) {
	if bytes.Equal(a, b) {
		return
	}
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		if name == "root_module" {
			c.moduleConfig("", "configuration", x[name], y[name], 0)
			continue
		}
		c.configValue(subject{address: "plan", what: "configuration"}.at(name), name, x[name], y[name])
	}
}

// configValue compares a part of a configuration.
func (c *comparer) configValue(p subject, name string, a, b planjson.Value) {
	switch {
	case bytes.Equal(a, b) && (a == nil) == (b == nil):
	case name == "references" || name == "depends_on":
		c.unordered(p, a, b)
	case a.Kind() == planjson.KindObject && b.Kind() == planjson.KindObject && p.depth < maxCompared && len(p.what) < maxWhat && name != "constant_value" && name != "default":
		x, y := parts(a), parts(b)
		for _, name := range union(x, y) {
			c.configValue(p.at(name), name, x[name], y[name])
		}
	case a.Kind() == planjson.KindArray && b.Kind() == planjson.KindArray && a.Len() == b.Len() && p.depth < maxCompared && name != "constant_value" && name != "default":
		x, y := elements(a), elements(b)
		for i := range x {
			q := p
			q.what += "[" + strconv.Itoa(i) + "]"
			q.depth++
			c.configValue(q, "", x[i], y[i])
		}
	case !a.Equal(b) || (a == nil) != (b == nil):
		p.secret = !slices.Contains(shownConfig, name)
		c.add(p, c.show(p, a, 0), c.show(p, b, 1))
	}
}

// shownConfig are the members of a configuration that are never secret.
var shownConfig = []string{"name", "full_name", "alias", "version_constraint", "module_address", "address", "mode", "type", "provider_config_key", "schema_version", "sensitive", "ephemeral", "required"}

// moduleConfig compares two modules of a configuration and the modules that they call.
func (c *comparer) moduleConfig(module, what string, a, b planjson.Value, depth int) {
	if bytes.Equal(a, b) {
		return
	}
	x, y := parts(a), parts(b)
	p := subject{address: "plan", what: what}
	for _, name := range union(x, y) {
		switch name {
		case "resources", "actions":
			key := func(all map[string]planjson.Value) (string, string) { return text(all["address"]), "" }
			eachPair(keyed(x[name], key), keyed(y[name], key), func(v, w *listedObject) {
				one := cmp.Or(v, w)
				q := subject{address: strings.TrimPrefix(module+"."+one.address, "."), what: "configuration"}
				if v == nil || w == nil {
					c.only(q, w == nil, "present")
					return
				}
				for _, member := range union(v.all, w.all) {
					c.configValue(q.at(member), member, v.all[member], w.all[member])
				}
			})
		case "outputs", "variables":
			typ, kind := "OutputConfig", "output."
			if name == "variables" {
				typ, kind = "VariableConfig", "var."
			}
			v, w := parts(x[name]), parts(y[name])
			for _, member := range union(v, w) {
				q := p.at(name).at(member)
				if module == "" {
					q = subject{address: kind + member, what: "configuration"}
				}
				if v[member] == nil || w[member] == nil {
					c.only(q, w[member] == nil, "present")
					continue
				}
				i, j := parts(v[member]), parts(w[member])
				for _, member := range union(i, j) {
					if !notCompared[typ+"."+member] {
						c.configValue(q.at(member), member, i[member], j[member])
					}
				}
			}
		case "module_calls":
			v, w := parts(x[name]), parts(y[name])
			for _, call := range union(v, w) {
				q := p.at(name).at(call)
				if v[call] == nil || w[call] == nil || depth > maxCompared || len(q.what) > maxWhat {
					if !v[call].Equal(w[call]) {
						q.secret = true
						c.add(q, c.show(q, v[call], 0), c.show(q, w[call], 1))
					}
					continue
				}
				i, j := parts(v[call]), parts(w[call])
				for _, member := range union(i, j) {
					if member == "module" {
						c.moduleConfig(strings.TrimPrefix(module+".module."+call, "."), q.what, i[member], j[member], depth+1)
						continue
					}
					c.configValue(q.at(member), member, i[member], j[member])
				}
			}
		default:
			c.configValue(p.at(name), name, x[name], y[name])
		}
	}
}

// hiddenTexts are the texts of the values that two documents mark as sensitive: a copy in
// a place that is not marked is not shown.
type hiddenTexts struct {
	all  map[string]bool
	long []string // those that are looked for in other texts
	work int      // what is left for that
}

// Texts shorter than minMarked are looked for as a whole only. Beyond maxSearched bytes of
// searching nothing more is shown.
const maxSearched = 1 << 28

func (c *comparer) texts() *hiddenTexts {
	if c.hidden != nil {
		return c.hidden
	}
	h := &hiddenTexts{all: make(map[string]bool), work: maxSearched}
	c.hidden = h
	for _, doc := range c.docs {
		h.collect(doc)
		for name, v := range doc.Member("variables").Members() {
			if c.secrets().variables[name] {
				h.learn(v.Member("value"))
			}
		}
	}
	for s := range h.all {
		if len(s) >= minMarked {
			h.long = append(h.long, s)
		}
	}
	slices.SortFunc(h.long, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return h
}

// companions are the members that mark values, with the members that have the values.
var companions = map[string]string{"before_sensitive": "before", "after_sensitive": "after", "sensitive_values": "values", "config_sensitive": "config_values", "sensitive": "value"}

// collect learns the marked values in all objects of a document.
func (h *hiddenTexts) collect(v planjson.Value) {
	for open := []planjson.Value{v}; len(open) > 0; {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		switch v.Kind() {
		case planjson.KindObject:
			all := parts(v)
			for mark, value := range companions {
				h.marked(all[value], all[mark], 0)
			}
			for name, part := range all {
				switch name {
				case "before", "after", "values", "value", "config_values", "before_sensitive", "after_sensitive", "sensitive_values", "after_unknown", "constant_value":
					// "values" is an object of the format in a state
					if name == "values" && part.Member("root_module") != nil {
						open = append(open, part)
					}
				default:
					if k := part.Kind(); k == planjson.KindObject || k == planjson.KindArray {
						open = append(open, part)
					}
				}
			}
		case planjson.KindArray:
			open = append(open, elements(v)...)
		}
	}
}

func (h *hiddenTexts) marked(v, mark planjson.Value, depth int) {
	switch {
	case v == nil || !plantext.HasTrue(mark):
	case plantext.IsTrue(mark) || v.Kind() != mark.Kind() || depth > maxCompared:
		h.learn(v)
	case v.Kind() == planjson.KindObject:
		_, marks := members(mark)
		for name, part := range v.Members() {
			h.marked(part, marks[name], depth+1)
		}
	default:
		marks := elements(mark)
		for i, part := range v.Elements() {
			h.marked(part, at(marks, i), depth+1)
		}
	}
}

func (h *hiddenTexts) learn(v planjson.Value) {
	leafTokens(v, func(token []byte) {
		s := string(token)
		if token[0] == '"' {
			s = jsonscan.Unquote(token)
		}
		if s != "" {
			h.all[s] = true
		}
	})
}

// has reports whether a value may have a text that is hidden.
func (h *hiddenTexts) has(v planjson.Value) bool {
	found := false
	leafTokens(v, func(token []byte) {
		s := string(token)
		if token[0] == '"' {
			s = jsonscan.Unquote(token)
		}
		if found = found || h.all[s] && (len(s) >= minMarked || s != "0" && s != "1"); found {
			return
		}
		for _, secret := range h.long {
			if h.work -= len(s); h.work < 0 || len(secret) <= len(s) && strings.Contains(s, secret) {
				found = true
				return
			}
		}
	})
	return found
}

// differences compares two documents, which may be absent.
func differences[D planjson.Document](first, second D, o Options, compare func(*comparer)) []Difference {
	c := &comparer{shapes: shapes{planschema.Shapes{From: o.Schemas}}, seen: make(map[string]bool)}
	for i, doc := range []D{first, second} {
		text, err := planjson.Encode(doc)
		if err != nil { // nothing that was decoded
			return []Difference{{Address: "plan", What: "document", First: notShownText, Second: notShownText}}
		}
		c.docs[i] = text
	}
	compare(c)
	return slices.Clip(c.list)
}

// secretNames are the names of the outputs and variables of the root module that either document calls sensitive.
type secretNames struct {
	outputs, variables map[string]bool
}

func secretNamesOf(docs [2]planjson.Value) *secretNames {
	s := &secretNames{make(map[string]bool), make(map[string]bool)}
	for _, doc := range docs {
		s.addOutputs(doc)
		s.addVariables(doc)
	}
	return s
}

// addOutputs adds the outputs of which any part of a document says that they are sensitive.
func (s *secretNames) addOutputs(doc planjson.Value) {
	for _, path := range [][]any{{"planned_values", "outputs"}, {"prior_state", "values", "outputs"}, {"values", "outputs"}, {"configuration", "root_module", "outputs"}} {
		for name, output := range doc.Get(path...).Members() {
			if plantext.HasTrue(output.Member("sensitive")) {
				s.outputs[name] = true
			}
		}
	}
	for name, change := range doc.Member("output_changes").Members() {
		if plantext.HasTrue(change.Member("before_sensitive")) || plantext.HasTrue(change.Member("after_sensitive")) {
			s.outputs[name] = true
		}
	}
}

// addVariables adds the variables that the configuration calls sensitive or ephemeral, and those with a value that it does not have.
func (s *secretNames) addVariables(doc planjson.Value) {
	_, config := members(doc.Get("configuration", "root_module", "variables"))
	for name, variable := range config {
		if plantext.IsTrue(variable.Member("sensitive")) || plantext.IsTrue(variable.Member("ephemeral")) {
			s.variables[name] = true
		}
	}
	for name := range doc.Member("variables").Members() {
		if config[name] == nil {
			s.variables[name] = true
		}
	}
}
