// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// A context has the facts about the object around a value.
type context struct {
	address string // of an instance, a block, output.NAME or var.NAME
	module  string // the path of the module in the configuration
	typ     string // of the resource
	block   string // the address in the configuration, of all instances
	own     [2]*mark
	set     int32 // of all marks of the object, if isSet
	isSet   bool
	done    bool // nothing more is to be learned from the object
	shape   *shape
	unknown bool // no schema has the type, though there are schemas
	rules   *progress
	marks   *marks // of an expression
	closed  reason // if not zero, all values are hidden
	call    string // the path of the called module, for its arguments
	judged  bool   // the arguments of a block must have been seen in an instance
	arg     string // the name of the argument
	partly  bool   // a part of something partly sensitive
	name    string // of the attribute around a constant
}

// context returns a copy of a context, which holds until release.
func (e *engine) context(c context) *context {
	if e.used == len(e.contexts) {
		e.contexts = append(e.contexts, new(context))
	}
	next := e.contexts[e.used]
	*next = c
	e.used++
	return next
}

// release gives contexts back that were made since there were so many.
func (e *engine) release(used int) { e.used = used }

// A lastText is the text of a member that mostly says the same as the last one did.
type lastText struct{ token, said string }

// text returns what a value says if it is a string.
func (l *lastText) text(value []byte) string {
	if l.token != string(value) {
		l.token, l.said = string(value), text(value)
	}
	return l.said
}

// text returns what a value says if it is a string.
func text(value []byte) string {
	if value[0] == '"' {
		return jsonscan.Unquote(value)
	}
	return ""
}

// objectFacts are what an instance or a change says of itself.
type objectFacts struct {
	previous      string     // the address that the instance had before
	before, after memberSpan // of a change; an instance that has not changed has its values in before
	marked        bool       // it has marks of its own
}

// about returns the context of the members of the object at hand, which is of
// type t, after an event for what the object says of itself.
func (e *engine) about(t typeID, cx *context) *context {
	switch t {
	case typeResourceChange, typeResource, typeActionInvocation:
		return e.aboutInstance(t, cx)
	case typeChange:
		return e.aboutChange(cx)
	case typeOutput:
		e.peek(func(name, value []byte) {
			if string(name) == "sensitive" && value[0] == 't' {
				e.emit(event{kind: eventObject, typ: t, cx: cx})
			}
		})
	case typeDiagnostic:
		c := *cx
		if e.Keep&Details == 0 {
			c.closed = reasonClosed
		}
		e.peek(func(name, value []byte) {
			if string(name) == "address" {
				c.address, c.isSet = text(value), false
			}
		})
		return &c
	case typeRelevantAttribute:
		c := *cx
		c.isSet = false
		e.peek(func(name, value []byte) {
			if string(name) == "resource" {
				c.address = text(value)
				c.block = plantext.WithoutKeys(c.address)
			}
		})
		return &c
	case typeProviderConfig, typeResourceConfig, typeProvisioner, typeModuleCall:
		return e.aboutBlock(t, cx)
	}
	return cx
}

// aboutInstance is about for a resource instance, planned or in a state, and for
// an invocation of an action.
func (e *engine) aboutInstance(t typeID, cx *context) *context {
	c := e.context(context{closed: cx.closed})
	var provider, previous string
	var mode addrs.Mode
	marked := false
	var values memberSpan
	e.peek(func(name, value []byte) {
		switch string(name) {
		case "address":
			c.address = text(value)
		case "previous_address":
			previous = text(value)
		case "type":
			c.typ = e.types.text(value)
		case "mode":
			mode = addrs.Mode(e.modes.text(value))
		case "provider_name":
			provider = e.providerNames.text(value)
		case "sensitive_values", "config_sensitive":
			if t != typeResourceChange {
				c.own[0], marked = e.mark(value), true
			}
		case "values", "config_values":
			values = e.spans[len(e.spans)-1]
		}
	})
	c.block = plantext.WithoutKeys(c.address)
	if t == typeActionInvocation {
		c.shape = e.schemas.Action(provider, c.typ)
	} else {
		c.shape = e.resourceShape(provider, mode, c.typ)
	}
	c.unknown = e.noSchema(c.shape, c.typ)
	c.rules = e.rulesFor(c.address, c.block, c.typ)
	e.said = objectFacts{previous: previous, before: values, marked: marked}
	e.emit(event{kind: eventObject, typ: t, cx: c})
	return c
}

// aboutChange is about for what changes in an object.
func (e *engine) aboutChange(cx *context) *context {
	c := e.context(*cx)
	c.own = [2]*mark{}
	marked := false
	var before, after memberSpan
	e.peek(func(name, value []byte) {
		switch string(name) {
		case "before_sensitive":
			c.own[0], marked = e.mark(value), true
		case "after_sensitive":
			c.own[1], marked = e.mark(value), true
		case "before":
			before = e.spans[len(e.spans)-1]
		case "after":
			after = e.spans[len(e.spans)-1]
		}
	})
	e.said = objectFacts{before: before, after: after, marked: marked}
	e.emit(event{kind: eventObject, typ: typeChange, cx: c})
	return c
}

// aboutBlock is about for blocks of the configuration.
func (e *engine) aboutBlock(t typeID, cx *context) *context {
	c := e.context(context{module: cx.module, address: cx.address, block: cx.block})
	if t == typeModuleCall {
		c.call = cx.call
		return c
	}
	var address, key, name, full, module string
	var mode addrs.Mode
	e.peek(func(member, value []byte) {
		switch string(member) {
		case "address":
			address = text(value)
		case "provider_config_key":
			key = text(value)
		case "full_name":
			full = text(value)
		case "name":
			name = text(value)
		case "module_address":
			module = text(value)
		case "type":
			c.typ = text(value)
		case "mode":
			mode = addrs.Mode(text(value))
		}
	})
	switch t {
	case typeProviderConfig:
		c.address = join(module, "provider."+name)
		if c.shape = e.schemas.Provider(cmp.Or(full, name)); c.shape == nil && e.Keep&ProviderConfig == 0 {
			c.closed = reasonClosed
		}
		c.rules = e.rulesFor(c.address, c.address, "")
	case typeProvisioner:
		if c.typ = ""; e.Keep&Provisioners == 0 {
			c.closed = reasonClosed
		}
	case typeResourceConfig:
		c.address = join(cx.module, address)
		c.block = c.address
		c.shape = e.resourceShape(e.providerOf(key), mode, c.typ)
		c.rules = e.rulesForBlock(c.block, c.typ)
		c.marks = e.blockMarks(c.block)
		switch {
		case e.noSchema(c.shape, c.typ):
			c.closed = reasonNoSchema
		case c.shape != nil || e.Keep&Constants != 0:
		case e.instances[c.block] != nil:
			c.judged = true
		default:
			c.closed = reasonClosed
		}
	}
	return c
}

// contextOf returns the context of an object that is called by the document.
func (e *engine) contextOf(t typeID, name string, cx *context) *context {
	switch t {
	case typeVariable:
		return e.context(context{address: "var." + name})
	case typeOutput, typeChange:
		address := "output." + name
		return e.context(context{address: address, closed: cx.closed, rules: e.rulesFor(address, address, "")})
	case typeVariableConfig:
		address := join(cx.module, "var."+name)
		return e.context(context{address: address, module: cx.module, closed: e.why[address], partly: e.partly[address], rules: e.rulesForBlock(address, "")})
	case typeOutputConfig:
		address := join(cx.module, "output."+name)
		why := e.why[address]
		if why == 0 && cx.module == "" && e.isAllMarked(address) {
			why = reasonElsewhere
		}
		return e.context(context{address: address, module: cx.module, closed: why, rules: e.rulesForBlock(address, "")})
	case typeModuleCall:
		path := join(cx.module, "module."+name)
		return e.context(context{address: path, module: path, call: path})
	case typeExpression:
		c := e.context(*cx)
		c.arg, c.name = name, name
		if cx.call != "" {
			c.address = join(cx.call, "var."+name)
			c.closed, c.partly = first(c.closed, e.why[c.address]), e.partly[c.address]
			c.rules = e.rulesForBlock(c.address, "")
			return c
		}
		c.marks, c.shape, c.rules = cx.marks.member([]byte(name)), cx.shape.Member([]byte(name)), cx.rules.in(name)
		return c
	}
	return cx
}

// A union is what the marks of an object are made of.
type union struct {
	own    [2]*mark // at the place itself, and at the other side of a change
	set    int32    // of all other places
	output bool     // of terraform_data
}

// maxUnions is how many unions are kept. Most objects share theirs with others.
const maxUnions = 1 << 12

// marksOf returns all that is known of the value of an object: by the place
// itself, which is before, after, or the only one, and by all others.
func (e *engine) marksOf(cx *context, at int) *marks {
	key := union{own: [2]*mark{cx.own[at], cx.own[1-at]}, set: cx.set, output: cx.typ == "terraform_data"}
	if !cx.isSet && cx.address != "" {
		key.set = e.setOf(cx.address)
	}
	if key.set == 0 && key.own[0] == nil && key.own[1] == nil {
		return nil
	}
	if m, ok := e.unions[key]; ok {
		return m
	}
	var sources []source
	work := 0
	add := func(m *mark, why reason) {
		if m == nil {
			return
		}
		sources = append(sources, source{m, why})
		work += m.size()
		if key.output && !m.elements && !m.all {
			// The output of terraform_data is its input, which only the input
			// is marked for.
			for i, name := range m.names {
				if string(name) == "input" {
					sources = append(sources, source{&mark{names: []string{"output"}, parts: []*mark{m.parts[i]}}, reasonElsewhere})
				}
			}
		}
	}
	add(key.own[0], reasonMarked)
	add(key.own[1], reasonElsewhere)
	for _, m := range e.sets[key.set] {
		add(m, reasonElsewhere)
	}
	e.work += work
	m := newMarks(sources, 16*work+1000)
	if e.unions == nil || len(e.unions) >= maxUnions {
		e.unions = make(map[union]*marks)
	}
	e.unions[key] = m
	return m
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
