// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Difference is one thing in which two documents differ. Its texts contain only
// printable characters, and no value that one of the documents marks as sensitive.
type Difference struct {
	// Address is the address of a resource instance, or of a resource in the
	// configuration, or output.NAME, var.NAME, check.ADDRESS, action.ADDRESS or "plan".
	Address string

	// What is the member of the document, such as actions, after.size or importing.id. For
	// a deposed object it begins with "deposed KEY: ". Members of the lists of drift and of
	// deferred changes begin with "drift." and "deferred.", those of the configuration with
	// "configuration.".
	What string

	// First and Second are the values in the first and in the second document: JSON,
	// "(absent)", "(sensitive value)", "(known after apply)", "(not shown)" for text that
	// the documents never mark, such as constants of the configuration, or "{...}" and
	// "[...]" where the other side is of another kind.
	First, Second string

	// Version reports whether the difference is the version of a tool or of a format,
	// which callers may want to ignore.
	Version bool
}

// String returns the difference in one line: "ADDRESS: WHAT: FIRST -> SECOND".
func (d Difference) String() string {
	return shorten(d.Address, 1000) + ": " + d.What + ": " + d.First + " -> " + d.Second
}

const (
	absentText     = "(absent)"
	sensitiveValue = "(sensitive value)"
	notShownText   = "(not shown)"
)

// notCompared are the members that make no difference to what will happen, by the type of
// their object in package planjson.
//
//   - Timestamp is the time of planning.
//   - RelevantAttributes lists what contributed to changes; the changes are compared.
//   - BeforeSensitive marks what is hidden now. What will be is in AfterSensitive.
//   - SensitiveValues of a prior state are the same; those of planned values and of states
//     that are compared count.
//   - The descriptions and deprecation messages of the configuration are for people.
//
// The order of lists of objects with an address, of checks, references, dependencies and
// replace paths, and of all members makes no difference either.
var notCompared = map[string]bool{
	"Plan.timestamp": true, "Plan.relevant_attributes": true, "Change.before_sensitive": true,
	"prior_state.sensitive_values": true,
	"OutputConfig.description":     true, "VariableConfig.description": true,
	"OutputConfig.deprecated": true, "VariableConfig.deprecated": true,
}

// A comparer lists the differences of two documents, which it walks as JSON: a member that
// this package does not know makes a difference as well.
type comparer struct {
	list   []Difference
	shapes shapes
	docs   [2]planjson.Value
	hidden *hiddenTexts                // nil until something is to be shown
	marks  map[string][]planjson.Value // of changes, by address; nil until wanted
	seen   map[string]bool             // addresses with a difference
	names  *secretNames                // nil until wanted
}

// A subject is where something is compared, and how it is shown.
type subject struct {
	address, what string
	masks         []planjson.Value // of sensitive parts; each hides on both sides
	unknown       [2]planjson.Value
	shape         *shape
	secret        bool // nothing is shown
	version       bool
	depth         int
}

// at returns the place of a member.
func (p subject) at(name string) subject {
	if !plantext.IsIdentifier(name) {
		name = strconv.Quote(name)
	}
	if p.what != "" && !strings.HasSuffix(p.what, ": ") {
		name = "." + name
	}
	p.what += printable.Text(name)
	p.depth++
	return p
}

// A companion is what a mask says about the parts of a value.
type companion struct {
	all     bool // the same about each
	names   map[string]planjson.Value
	indexes []planjson.Value
}

func companionOf(m planjson.Value, k planjson.Kind) companion {
	switch {
	case !plantext.HasTrue(m):
		return companion{}
	case k == planjson.KindObject && m.Kind() == k:
		return companion{names: parts(m)}
	case k == planjson.KindArray && m.Kind() == k:
		return companion{indexes: elements(m)}
	}
	return companion{all: true}
}

func (x *companion) of(name string, i int) planjson.Value {
	switch {
	case x.all:
		return planjson.Literal(true)
	case i < 0:
		return x.names[name]
	}
	return at(x.indexes, i)
}

// below returns a function that returns the places of the members or elements of a value.
func (p subject) below(k planjson.Kind) func(name string, i int) subject {
	masks := make([]companion, len(p.masks))
	for n, m := range p.masks {
		masks[n] = companionOf(m, k)
	}
	unknown := [2]companion{companionOf(p.unknown[0], k), companionOf(p.unknown[1], k)}
	return func(name string, i int) subject {
		q := p
		if i < 0 {
			q = p.at(name)
			q.shape = p.shape.Member([]byte(name))
		} else {
			q.what += "[" + strconv.Itoa(i) + "]"
			q.depth++
			q.shape = p.shape.Element(i)
		}
		q.masks = nil
		for n := range masks {
			if m := masks[n].of(name, i); m != nil {
				q.masks = append(q.masks, m)
			}
		}
		q.unknown = [2]planjson.Value{unknown[0].of(name, i), unknown[1].of(name, i)}
		return q
	}
}

// isHidden reports whether all of the value is.
func (p subject) isHidden() bool {
	return p.shape.IsSensitive() || slices.ContainsFunc(p.masks, func(m planjson.Value) bool { return plantext.IsTrue(m) })
}

// Below these, parts are compared as a whole: names of names would take room out of
// proportion.
const (
	maxCompared = 100
	maxWhat     = 300
)

// parts returns the members of a value by name, and their names in order.
func parts(v planjson.Value) map[string]planjson.Value {
	_, m := members(v)
	return m
}

// union returns the names in either of two objects, sorted.
func union[T any](a, b map[string]T) []string {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// value compares two values. Either can be absent.
func (c *comparer) value(p subject, a, b planjson.Value) {
	if bytes.Equal(a, b) && (a == nil) == (b == nil) {
		return
	}
	aKind, bKind := a.Kind(), b.Kind()
	whole := p.isHidden() || p.depth > maxCompared || len(p.what) > maxWhat
	container := func(k planjson.Kind) bool { return k == planjson.KindObject || k == planjson.KindArray }
	switch {
	case whole || !container(aKind) && !container(bKind), aKind != bKind && a != nil && b != nil, container(aKind) && container(bKind) && aKind != bKind:
		if a.Equal(b) && (a == nil) == (b == nil) {
			return
		}
		q := p
		q.secret = p.secret || whole && !p.isHidden() && (container(aKind) || container(bKind))
		c.add(q, c.show(q, a, 0), c.show(q, b, 1))
	case aKind == planjson.KindObject || bKind == planjson.KindObject:
		x, y := parts(a), parts(b)
		if len(x)+len(y) == 0 && (a == nil) != (b == nil) {
			c.add(p, c.show(p, a, 0), c.show(p, b, 1))
			return
		}
		below := p.below(planjson.KindObject)
		for _, name := range union(x, y) {
			if v, w := x[name], y[name]; !bytes.Equal(v, w) || (v == nil) != (w == nil) {
				c.value(below(name, -1), v, w)
			}
		}
	default:
		x, y := elements(a), elements(b)
		if len(x)+len(y) == 0 && (a == nil) != (b == nil) {
			c.add(p, c.show(p, a, 0), c.show(p, b, 1))
			return
		}
		below := p.below(planjson.KindArray)
		for i := range max(len(x), len(y)) {
			if v, w := at(x, i), at(y, i); !bytes.Equal(v, w) || (v == nil) != (w == nil) {
				c.value(below("", i), v, w)
			}
		}
	}
}

func at(list []planjson.Value, i int) planjson.Value {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// mask compares two companions of a value. They mean the same if the same parts are true, but
// a tool that makes the same plan again also writes them in the same way.
func (c *comparer) mask(p subject, a, b planjson.Value) {
	if bytes.Equal(a, b) && (a == nil) == (b == nil) {
		return
	}
	if p.depth < maxCompared && len(p.what) < maxWhat && a.Kind() == planjson.KindObject && b.Kind() == planjson.KindObject {
		x, y := parts(a), parts(b)
		for _, name := range union(x, y) {
			c.mask(p.at(name), x[name], y[name])
		}
		return
	}
	if a.Equal(b) && (a == nil) == (b == nil) {
		return
	}
	show := func(m planjson.Value) string {
		switch k := m.Kind(); {
		case plantext.IsTrue(m):
			return "true"
		case plantext.HasTrue(m):
			return "true in parts"
		case m == nil:
			return absentText
		case k == planjson.KindBool:
			return "false"
		}
		return "false in all parts"
	}
	c.add(p, show(a), show(b))
}

// show returns a value for people, as far as it may be shown.
func (c *comparer) show(p subject, v planjson.Value, side int) string {
	switch k := v.Kind(); {
	case plantext.IsTrue(p.unknown[side]) && plantext.IsNone(v):
		return knownAfterApply
	case v == nil:
		return absentText
	case p.isHidden():
		return sensitiveValue
	case v.IsNull():
		return "null"
	case p.secret:
		return notShownText
	case k == planjson.KindObject && v.Len() > 0:
		return "{...}"
	case k == planjson.KindArray && v.Len() > 0:
		return "[...]"
	case c.texts().has(v):
		return sensitiveValue
	}
	return shorten(printable.Text(string(v)), 300)
}

func (c *comparer) add(p subject, first, second string) {
	what := p.what
	if h := c.texts(); strings.ContainsAny(what, "\"[") { // a key, not only names of attributes
		for _, s := range h.long {
			if h.work -= len(what); h.work < 0 {
				what = notShownText
				break
			}
			what = strings.ReplaceAll(what, s, sensitiveValue)
		}
	}
	c.seen[p.address] = true
	c.list = append(c.list, Difference{Address: printable.Text(p.address), What: what, First: first, Second: second, Version: p.version})
}

// only notes that one document alone has something.
func (c *comparer) only(p subject, isFirst bool, has string) {
	if isFirst {
		c.add(p, has, absentText)
	} else {
		c.add(p, absentText, has)
	}
}

// A listedObject is an object in a list, with its members.
type listedObject struct {
	address, deposed string
	all              map[string]planjson.Value
	number           int // of those before it with the same key
}

// keyed returns the objects of a list by their keys.
func keyed(list planjson.Value, key func(map[string]planjson.Value) (address, rest string)) map[string]*listedObject {
	m := make(map[string]*listedObject)
	count := make(map[string]int)
	for _, e := range list.Elements() {
		all := parts(e)
		x := &listedObject{all: all}
		x.address, x.deposed = key(all)
		k := x.address + "\x00" + x.deposed
		x.number = count[k]
		count[k]++
		m[k+"\x00"+strconv.Itoa(x.number)] = x
	}
	return m
}

// eachPair calls f for the objects with the same key; one of them can be nil.
func eachPair(a, b map[string]*listedObject, f func(x, y *listedObject)) {
	for _, k := range union(a, b) {
		f(a[k], b[k])
	}
}

func text(v planjson.Value) string {
	s, _ := v.Text()
	return s
}

// changeKey identifies a resource change. Terraform 0.15 wrote no address for drift.
func changeKey(all map[string]planjson.Value) (address, deposed string) {
	address = text(all["address"])
	if address == "" {
		name := text(all["type"]) + "." + text(all["name"])
		if text(all["mode"]) == "data" {
			name = "data." + name
		}
		address = plantext.Absolute(text(all["module_address"]), name, all["index"])
	}
	return address, text(all["deposed"])
}

// rest compares the members that are not handled, as they are.
func (c *comparer) rest(p subject, a, b map[string]planjson.Value, typ string, handled ...string) {
	for _, name := range union(a, b) {
		if slices.Contains(handled, name) || notCompared[typ+"."+name] {
			continue
		}
		q := p.at(name)
		if slices.Contains(shownMembers, name) {
			c.rest(q, objectParts(a[name]), objectParts(b[name]), name)
			if (a[name] == nil) != (b[name] == nil) && a[name].Len()+b[name].Len() == 0 {
				c.only(q, b[name] == nil, "present")
			}
			continue
		}
		q.secret = q.secret || !slices.Contains(shownTexts, name)
		c.value(q, a[name], b[name])
	}
}

// shownMembers are the members that are objects of the format themselves.
var shownMembers = []string{"importing", "lifecycle_action_trigger", "invoke_action_trigger"}

// shownTexts are the members of the format's objects that may be shown: a member of a newer
// tool may hold anything.
var shownTexts = []string{
	"previous_address", "module_address", "address", "mode", "type", "name", "index", "index_unknown", "provider_name", "action_reason", "reason",
	"id", "unknown", "identity", "before_identity", "after_identity", "triggering_resource_address", "action_trigger_event", "action_trigger_block_index",
	"actions_list_index", "on_failure", "calling_resource_address", "status", "condition_type", "result", "error_message", "//",
	"schema_version", "tainted", "identity_schema_version", "sensitive", "deprecated",
}

// objectParts is parts, nil for what is no object.
func objectParts(v planjson.Value) map[string]planjson.Value {
	if v.Kind() == planjson.KindObject {
		return parts(v)
	}
	if v != nil { // no tool writes it
		return map[string]planjson.Value{"value": v}
	}
	return nil
}

// changes compares two lists of resource changes.
func (c *comparer) changes(prefix string, a, b planjson.Value) {
	if bytes.Equal(a, b) {
		return
	}
	eachPair(keyed(a, changeKey), keyed(b, changeKey), func(x, y *listedObject) { c.change(prefix, x, y) })
}

func (c *comparer) change(prefix string, x, y *listedObject) {
	one := cmp.Or(x, y)
	p := subject{address: one.address, what: prefix}
	if one.deposed != "" {
		p.what = "deposed " + printable.Text(one.deposed) + ": " + prefix
	}
	if x == nil || y == nil {
		p.what += dot(p.what) + "actions"
		c.only(p, y == nil, showActions(one.all["change"].Member("actions")))
		return
	}
	c.rest(p, x.all, y.all, "ResourceChange", "change", "address", "deposed")
	c.changed(p, parts(x.all["change"]), parts(y.all["change"]), c.shapes.resource(text(x.all["provider_name"]), resourceMode(x.all), text(x.all["type"])))
	if a, b := x.all["address"], y.all["address"]; text(a) != text(b) {
		c.value(p.at("address"), a, b)
	}
}

func dot(what string) string {
	if what == "" || strings.HasSuffix(what, ": ") {
		return ""
	}
	return "."
}

func showActions(v planjson.Value) string {
	var a planjson.Actions
	for _, e := range v.Elements() {
		a = append(a, planjson.Action(text(e)))
	}
	return printable.Text(a.String())
}

// changed compares two changes of an object or an output.
func (c *comparer) changed(p subject, a, b map[string]planjson.Value, s *shape) {
	if x, y := showActions(a["actions"]), showActions(b["actions"]); x != y || !a["actions"].Equal(b["actions"]) {
		c.add(p.at("actions"), x, y)
	}
	value := p
	value.shape = s
	for _, side := range [...]map[string]planjson.Value{a, b} {
		value.masks = append(value.masks, side["before_sensitive"], side["after_sensitive"])
	}
	c.value(value.at("before"), a["before"], b["before"])
	count := len(c.list)
	value.unknown = [2]planjson.Value{a["after_unknown"], b["after_unknown"]}
	if !c.sameSets(a, b, s) {
		c.value(value.at("after"), a["after"], b["after"])
		if len(c.list) == count {
			c.mask(p.at("after_unknown"), a["after_unknown"], b["after_unknown"])
		}
	}
	c.mask(p.at("after_sensitive"), a["after_sensitive"], b["after_sensitive"])
	c.unordered(p.at("replace_paths"), a["replace_paths"], b["replace_paths"])
	hidden := p.at("generated_config")
	hidden.secret = true
	c.value(hidden, a["generated_config"], b["generated_config"])
	c.rest(p, a, b, "Change", "actions", "before", "after", "after_unknown", "after_sensitive", "replace_paths", "generated_config")
}

// sameSets reports whether the objects after two changes are the same but for the order of
// their sets, which only schemas tell.
func (c *comparer) sameSets(a, b map[string]planjson.Value, s *shape) bool {
	if c.shapes.From == nil || s == nil {
		return false
	}
	d := newDiffer(Options{Schemas: c.shapes.From})
	var object Attribute
	d.object(&object, side{a["after"], a["after_unknown"], a["after_sensitive"]}, side{b["after"], b["after_unknown"], b["after_sensitive"]}, s, nil)
	return !object.differs()
}

// unordered compares two lists whose order has no meaning.
func (c *comparer) unordered(p subject, a, b planjson.Value) {
	if bytes.Equal(a, b) {
		return
	}
	sorted := func(v planjson.Value) (list []string) {
		for _, e := range v.Elements() {
			text, err := e.Canonical()
			if err != nil {
				text = e
			}
			list = append(list, string(text))
		}
		slices.Sort(list)
		return list
	}
	x, y := sorted(a), sorted(b)
	if slices.Equal(x, y) && (a == nil || a.Kind() == planjson.KindArray) == (b == nil || b.Kind() == planjson.KindArray) {
		return
	}
	show := func(v planjson.Value, list []string) string {
		text := planjson.Value("[" + strings.Join(list, ",") + "]")
		switch {
		case v == nil:
			return absentText
		case p.secret:
			return notShownText
		case c.texts().has(text):
			return sensitiveValue
		}
		return shorten(printable.Text(string(text)), 300)
	}
	c.add(p, show(a, x), show(b, y))
}

// plans compares two plans.
func (c *comparer) plans() {
	a, b := parts(c.docs[0]), parts(c.docs[1])
	for _, name := range union(a, b) {
		x, y := a[name], b[name]
		p := subject{address: "plan"}.at(name)
		switch name {
		case "format_version", "terraform_version":
			p.version = true
			c.value(p, x, y)
		case "resource_changes":
			c.changes("", x, y)
		case "resource_drift":
			c.changes("drift", x, y)
		case "deferred_changes":
			c.deferred(x, y)
		case "output_changes":
			c.outputs(x, y)
		case "variables":
			c.variables(x, y)
		case "action_invocations", "deferred_action_invocations":
			c.invocations(name, x, y)
		case "checks":
			c.checks("", x, y)
		case "condition_results":
			c.conditions(x, y)
		case "configuration":
			c.configuration(x, y)
		case "planned_values", "prior_state": // at the end
		case "applyable", "complete", "errored":
			c.value(p, x, y)
		default:
			if !notCompared["Plan."+name] {
				p.secret = true
				c.value(p, x, y)
			}
		}
	}
	c.values("planned_values", a["planned_values"], b["planned_values"], c.seen)
	c.state("prior_state", a["prior_state"], b["prior_state"], maps.Clone(c.seen))
}

func (c *comparer) deferred(a, b planjson.Value) {
	key := func(all map[string]planjson.Value) (string, string) { return changeKey(parts(all["resource_change"])) }
	eachPair(keyed(a, key), keyed(b, key), func(x, y *listedObject) {
		if x != nil && y != nil {
			c.rest(subject{address: x.address, what: "deferred"}, x.all, y.all, "DeferredChange", "resource_change")
		}
		change := func(e *listedObject) *listedObject {
			if e == nil {
				return nil
			}
			return &listedObject{address: e.address, deposed: e.deposed, all: parts(e.all["resource_change"])}
		}
		c.change("deferred", change(x), change(y))
	})
}

func either(a, b planjson.Value) planjson.Value {
	if a != nil {
		return a
	}
	return b
}

func (c *comparer) outputs(a, b planjson.Value) {
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		p := subject{address: "output." + name}
		switch {
		case x[name] == nil || y[name] == nil:
			p.what = "actions"
			c.only(p, y[name] == nil, showActions(either(x[name], y[name]).Member("actions")))
		default:
			v, w := parts(x[name]), parts(y[name])
			if c.secrets().outputs[name] { // old plans mark none
				p.masks = []planjson.Value{planjson.Literal(true)}
			}
			c.changed(p, v, w, nil)
		}
	}
}

func (c *comparer) secrets() *secretNames {
	if c.names == nil {
		c.names = secretNamesOf(c.docs)
	}
	return c.names
}

func (c *comparer) variables(a, b planjson.Value) {
	x, y := parts(a), parts(b)
	for _, name := range union(x, y) {
		p := subject{address: "var." + name}
		if c.secrets().variables[name] {
			p.masks = []planjson.Value{planjson.Literal(true)}
		}
		if x[name] == nil || y[name] == nil {
			c.value(p.at("value"), x[name].Member("value"), y[name].Member("value"))
			continue
		}
		v, w := parts(x[name]), parts(y[name])
		for _, member := range union(v, w) {
			c.value(p.at(member), v[member], w[member])
		}
	}
}

func (c *comparer) invocations(list string, a, b planjson.Value) {
	invocation := func(all map[string]planjson.Value) map[string]planjson.Value {
		if list == "action_invocations" {
			return all
		}
		return parts(all["action_invocation"])
	}
	key := func(all map[string]planjson.Value) (string, string) {
		all = invocation(all)
		t := all["lifecycle_action_trigger"]
		address := text(all["address"])
		if !strings.HasPrefix(address, "action.") {
			address = "action." + address
		}
		rest := []string{text(t.Member("triggering_resource_address")), text(t.Member("action_trigger_event")), string(t.Member("action_trigger_block_index")), string(t.Member("actions_list_index"))}
		return address, strings.Join(rest, "\x00")
	}
	prefix := ""
	if list != "action_invocations" {
		prefix = "deferred"
	}
	eachPair(keyed(a, key), keyed(b, key), func(x, y *listedObject) {
		one := cmp.Or(x, y)
		p := subject{address: one.address, what: prefix}
		if x == nil || y == nil {
			how := "invoked"
			if t := invocation(one.all)["lifecycle_action_trigger"]; t != nil {
				how += " by " + printable.Text(text(t.Member("triggering_resource_address")))
			}
			c.only(p.at("invocation"), y == nil, how)
			return
		}
		if prefix != "" {
			c.rest(p, x.all, y.all, "DeferredActionInvocation", "action_invocation")
		}
		v, w := invocation(x.all), invocation(y.all)
		config := p
		config.masks = []planjson.Value{v["config_sensitive"], w["config_sensitive"]}
		config.unknown = [2]planjson.Value{v["config_unknown"], w["config_unknown"]}
		config.shape = c.shapes.Action(text(v["provider_name"]), text(v["type"]))
		count := len(c.list)
		c.value(config.at("config_values"), v["config_values"], w["config_values"])
		if len(c.list) == count {
			c.mask(p.at("config_unknown"), v["config_unknown"], w["config_unknown"])
		}
		c.mask(p.at("config_sensitive"), v["config_sensitive"], w["config_sensitive"])
		c.rest(p, v, w, "ActionInvocation", "config_values", "config_unknown", "config_sensitive")
	})
}

// checks compares the results of checks.
func (c *comparer) checks(prefix string, a, b planjson.Value) {
	if bytes.Equal(a, b) {
		return
	}
	key := func(all map[string]planjson.Value) (string, string) {
		return text(all["address"].Member("to_display")), ""
	}
	address := func(s string) string {
		if strings.HasPrefix(s, "check.") {
			return s
		}
		return "check." + s
	}
	eachPair(keyed(a, key), keyed(b, key), func(x, y *listedObject) {
		one := cmp.Or(x, y)
		p := subject{address: address(one.address), what: prefix}
		if x == nil || y == nil {
			c.only(p.at("status"), y == nil, printable.Text(text(one.all["status"])))
			return
		}
		c.rest(p, x.all, y.all, "Check", "instances")
		eachPair(keyed(x.all["instances"], key), keyed(y.all["instances"], key), func(v, w *listedObject) {
			one := cmp.Or(v, w)
			p := subject{address: address(one.address), what: prefix}.at("instance")
			if v == nil || w == nil {
				c.only(p.at("status"), w == nil, printable.Text(text(one.all["status"])))
				return
			}
			c.rest(p, v.all, w.all, "CheckInstance", "problems")
			c.unordered(p.at("problems"), v.all["problems"], w.all["problems"])
		})
	})
}

// conditions compares the results that Terraform 1.2 and 1.3 wrote.
func (c *comparer) conditions(a, b planjson.Value) {
	key := func(all map[string]planjson.Value) (string, string) {
		return text(all["address"]), text(all["condition_type"])
	}
	eachPair(keyed(a, key), keyed(b, key), func(x, y *listedObject) {
		p := subject{address: "check." + cmp.Or(x, y).address}
		if x == nil || y == nil {
			c.only(p.at("condition"), y == nil, printable.Text(cmp.Or(x, y).deposed))
			return
		}
		c.rest(p, x.all, y.all, "ConditionResult")
	})
}

func resourceMode(all map[string]planjson.Value) addrs.Mode { return addrs.Mode(text(all["mode"])) }

// leafTokens calls f for the strings and numbers in a value.
func leafTokens(v planjson.Value, f func(token []byte)) {
	if v.Check() != nil {
		return
	}
	for i := 0; i < len(v); {
		end := i + 1
		switch ch := v[i]; {
		case ch == '"':
			end = jsonscan.StringEnd(v, i)
			f(v[i:end])
		case ch == '-' || '0' <= ch && ch <= '9':
			end = jsonscan.ValueEnd(v, i)
			f(v[i:end])
		}
		i = max(end, i+1)
	}
}
