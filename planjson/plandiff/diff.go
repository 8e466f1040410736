// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// Options says how to compare. The zero value suits most plans.
type Options struct {
	// Schemas gives the types of the resources. With schemas, sets are compared
	// by value, nested blocks are distinguished from attributes, and attributes
	// that the provider marks as sensitive are hidden even if the document does
	// not mark them, as in documents of old tools. If nil, arrays are compared
	// as lists; for sets the result is the same, because the tools sort them.
	Schemas *planjson.Schemas

	// Unchanged keeps unchanged values in the result. If false, they are only
	// counted, except those of objects that are imported, the attributes id, name
	// and tags, which identify a resource to a reader, and the elements of lists
	// next to one that differs.
	Unchanged bool

	// Reveal keeps the values that the plan marks as sensitive. The fields SensitiveBefore and
	// SensitiveAfter of attributes still say which those are. It has no effect on comparisons of
	// two documents, and on what only Schemas mark.
	Reveal bool
}

// A Status says how an attribute differs.
// Its values include [Unchanged], [Added] and [Removed].
type Status uint8

// The statuses.
const (
	Unchanged Status = iota
	Added            // null or absent before
	Removed          // null or absent after
	Changed
	Moved // the same element at another place of a list
)

var statuses = [...]string{"unchanged", "added", "removed", "changed", "moved"}

// String returns the status in lower case.
func (s Status) String() string {
	if int(s) < len(statuses) {
		return statuses[s]
	}
	return "Status(" + strconv.Itoa(int(s)) + ")"
}

// A Diff lists the changes of a plan, attribute by attribute. It holds no value
// that the plan marks as sensitive; see the package's section on security. It shares
// the text of the plan.
type Diff struct {
	// Name is the name of the plan in a report of several. [Plan] leaves it empty.
	Name string

	// Resources lists the planned changes in the order of the plan, without
	// those that do not act, move, import or forget.
	Resources []*Resource

	// Deferred lists the changes that the plan defers.
	Deferred []*Resource

	// Drift lists the changes made outside the tool since the last apply.
	Drift []*Resource

	// Outputs lists the changes of the root module's outputs by name.
	Outputs []*Output

	// Invocations lists the actions that the plan runs.
	Invocations []*Invocation

	// State is what the plan says about itself: whether planning failed, and so on.
	State PlanState

	// Against is how the plan differs from an approved one, if the caller sets it to the
	// result of [ComparePlans]. The writers show its Differences.
	Against *Comparison

	whole        *Diff // of which this has some details, or nil
	outputsWidth int   // columns of the names of all outputs, also unchanged ones
}

// A Resource is the change of one object of a resource instance. The fields
// up to ActionReason are those of [planjson.ResourceChange].
type Resource struct {
	// Address is the address of the resource instance, and PreviousAddress the
	// one that it had before it was moved, if it was.
	Address         string
	PreviousAddress string

	// The following are copied from the [planjson.ResourceChange]: the parts of
	// the address, the full name of the provider, and the key of the object if
	// it is a deposed one.
	ModuleAddress string
	Mode          addrs.Mode
	Type          string
	Name          string
	ProviderName  string
	Deposed       string

	// Actions lists the actions on the object. ActionReason is the reason, if
	// the plan states one.
	Actions      planjson.Actions
	ActionReason planjson.ActionReason

	// Reason says why a change is deferred.
	Reason planjson.DeferredReason

	// Drift reports whether the change has already happened, outside of the
	// tool.
	Drift bool

	// Importing reports whether the object is imported first. ImportID or
	// ImportIdentity (an object) identifies it, unless part of that is hidden
	// or not known yet.
	Importing      bool
	ImportID       string
	ImportIdentity planjson.Value

	// GeneratesConfig reports whether the tool has written a configuration for
	// an object that is imported.
	GeneratesConfig bool

	// Object is the object: its children are the attributes that differ.
	Object Attribute

	hidesImport  bool // by what it is imported is hidden
	index        planjson.Value
	replacePaths []planjson.Value
}

// isMoved reports whether the object gets another address.
func (r *Resource) isMoved() bool {
	if r == nil {
		return false
	}
	return r.PreviousAddress != "" && r.PreviousAddress != r.Address
}

// An Output is the change of an output of the root module.
type Output struct {
	// Name is the name of the output, and Actions lists the actions on it.
	Name    string
	Actions planjson.Actions

	// Values has one element with the name of the output, or two, the old and the new
	// value, if they are of different kinds. If the plan announces a change of an output
	// whose value stays the same, such as one that is no longer sensitive, its Status is
	// [Unchanged].
	Values []*Attribute
}

// An Attribute is the difference of one attribute, element or member, or of
// a whole object. Containers have Children and no values of their own: a value
// of a container could hold a sensitive part.
type Attribute struct {
	// Name is the name of a member: an attribute, a nested block, a key of a
	// map. It is "" for an element.
	Name string

	// Index is the position of an element in After, or in Before if it was
	// removed. It is -1 for a member. From is the position before, if the element
	// was not added.
	Index, From int

	// Status is how the attribute differs.
	Status Status

	// Container is [planjson.KindObject] or [planjson.KindArray] if the attribute is a non-empty
	// object or array, and [planjson.KindAbsent] otherwise. Set reports whether it is an array
	// that is known to be a set, whose order has no meaning. Map reports whether it is an object
	// whose names are known to be the keys of a map. Block reports whether it is made by nested
	// blocks. All three need a schema.
	Container       planjson.Kind
	Set, Map, Block bool

	// JSON reports whether the values are strings that hold JSON documents of
	// the same kind, which Children compares. Before and After are then these
	// strings.
	JSON bool

	// Before and After are the values. Nil means that there is no value, that
	// the value is unknown or sensitive, or that it is null on one side of an
	// addition or a removal.
	Before, After planjson.Value

	// Unknown reports whether the value after is known only after apply.
	// UnknownBefore reports the same of the value before, which occurs when plans
	// are compared. The children of an unknown container are those it had.
	Unknown, UnknownBefore bool

	// Sensitive reports whether the value is sensitive, before or after. The values
	// and the children are then left out. SensitiveBefore and SensitiveAfter report
	// the same of each side.
	Sensitive, SensitiveBefore, SensitiveAfter bool

	// ForcesReplacement reports whether this attribute is a reason for the
	// replacement of the object.
	ForcesReplacement bool

	// Here they take no room.
	nulls   nulls  // whether removed members are shown to become null
	dynamic bool   // its members or elements have any type, as in JSON
	empty   uint32 // how many attributes that are only counted are empty strings

	// Children lists the members or elements that differ, in the order of the
	// names or of the list. In lists it also has the unchanged elements next to
	// them, and in objects the unchanged id, name and tags.
	Children []*Attribute

	// Hidden counts the members or elements that have not changed, are not
	// null, and are not in Children. HiddenBlocks counts those of them that are
	// nested blocks, which needs a schema; Hidden does not include them.
	Hidden, HiddenBlocks int

	bare    planjson.Value // what was added or removed and has only nulls
	parent  *Attribute
	width   uint32 // columns of the longest name that is only counted
	skipped uint32 // elements that are only counted right before this one
}

// Path returns the steps from the object to the attribute: names as strings,
// positions as ints. For an output the first step is its name. For a value
// inside a JSON document, the path continues that of the string.
func (d *Attribute) Path() []any {
	if d == nil {
		return nil
	}
	var path []any
	for ; d.parent != nil; d = d.parent {
		if d.Index < 0 {
			path = append(path, d.Name)
		} else {
			path = append(path, d.Index)
		}
	}
	slices.Reverse(path)
	return path
}

// String returns the path as in an expression, such as network[0].subnet_id or
// tags["a b"]. [planjson.ParsePath] reads it.
func (d *Attribute) String() string {
	if d == nil {
		return ""
	}
	var b []byte
	for _, step := range d.Path() {
		switch step := step.(type) {
		case int:
			b = append(strconv.AppendInt(append(b, '['), int64(step), 10), ']')
		case string:
			switch {
			case !plantext.IsIdentifier(step):
				b = append(b, addrs.StringKey(step).String()...)
			case len(b) > 0:
				b = append(append(b, '.'), step...)
			default:
				b = append(b, step...)
			}
		}
	}
	return string(b)
}

// All returns an iterator over d and everything below it, each before its
// children.
func (d *Attribute) All() iter.Seq[*Attribute] {
	return func(yield func(*Attribute) bool) {
		if d != nil {
			d.all(yield)
		}
	}
}

func (d *Attribute) all(yield func(*Attribute) bool) bool {
	if !yield(d) {
		return false
	}
	for _, c := range d.Children {
		if !c.all(yield) {
			return false
		}
	}
	return true
}

// Leaves returns an iterator over the innermost differences: the attributes
// below d that differ and have no children, and, without their children, those
// that become unknown.
func (d *Attribute) Leaves() iter.Seq[*Attribute] {
	return func(yield func(*Attribute) bool) {
		if d != nil {
			d.leaves(yield)
		}
	}
}

func (d *Attribute) leaves(yield func(*Attribute) bool) bool {
	if d.parent != nil && (len(d.Children) == 0 || d.Unknown || d.UnknownBefore) {
		return !d.differs() || yield(d)
	}
	for _, c := range d.Children {
		if !c.leaves(yield) {
			return false
		}
	}
	return true
}

// Plan returns the changes of p. It takes time in proportion to the text of the
// changes. A value that is not valid JSON, which no decoded plan has, is
// compared up to its fault. For a nil p, the Diff is empty.
func Plan(p *planjson.Plan, o Options) *Diff {
	if p == nil {
		p = new(planjson.Plan)
	}
	d := newDiffer(o)
	result := &Diff{
		State:     stateOf(p),
		Resources: d.resources(p.ResourceChanges, true),
		Drift:     d.resources(p.ResourceDrift, false),
		Outputs:   d.outputs(p),
	}
	for name := range p.OutputChanges {
		result.outputsWidth = max(result.outputsWidth, nameWidth(false, name))
	}
	result.Invocations = d.invocations(p)
	for _, c := range p.DeferredChanges {
		if c != nil {
			r := d.resource(&c.ResourceChange)
			r.Reason = c.Reason
			result.Deferred = append(result.Deferred, r)
		}
	}
	return result
}

// Change returns the difference that one change makes, or nil if rc is nil.
func Change(rc *planjson.ResourceChange, o Options) *Resource {
	if rc == nil {
		return nil
	}
	d := newDiffer(o)
	return d.resource(rc)
}

func (d *differ) resources(list []*planjson.ResourceChange, planned bool) []*Resource {
	shown := func(rc *planjson.ResourceChange) bool {
		if rc == nil {
			return false
		}
		moved := rc.PreviousAddress != "" && rc.PreviousAddress != rc.Address
		return !rc.Change.Actions.IsNoOp() || rc.Change.Importing != nil || moved || !planned && d.options.Unchanged
	}
	n := 0
	for _, rc := range list {
		if shown(rc) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	diffs := make([]*Resource, 0, n)
	for _, rc := range list {
		if !shown(rc) {
			continue
		}
		d.wanted = n - len(diffs)
		r := d.resource(rc)
		r.Drift = !planned
		diffs = append(diffs, r)
	}
	return diffs
}

// maxResults is how many resources are allocated at once, at most: one that is kept
// keeps them.
const maxResults = 16

func (d *differ) resource(rc *planjson.ResourceChange) *Resource {
	c := &rc.Change
	if len(d.results) == 0 {
		d.results = make([]Resource, max(1, min(d.wanted, maxResults)))
	}
	r := &d.results[0]
	d.results = d.results[1:]
	*r = Resource{
		Address:         rc.Address,
		PreviousAddress: rc.PreviousAddress,
		ModuleAddress:   rc.ModuleAddress,
		Mode:            rc.Mode,
		Type:            rc.Type,
		Name:            rc.Name,
		ProviderName:    rc.ProviderName,
		Deposed:         rc.Deposed,
		Actions:         c.Actions,
		ActionReason:    rc.ActionReason,
		Importing:       c.Importing != nil,
		GeneratesConfig: c.GeneratedConfig != "",
	}
	if i := c.Importing; i != nil {
		for _, text := range append(leafTexts(i.Identity), i.ID) {
			r.hidesImport = r.hidesImport || text != "" && !d.options.Reveal && (isMarked(c.Before, c.BeforeSensitive, text) || isMarked(c.After, c.AfterSensitive, text))
		}
		if !r.hidesImport {
			r.ImportID, r.ImportIdentity = i.ID, i.Identity
		}
	}
	r.index, r.replacePaths = rc.Index, c.ReplacePaths
	var paths [][]planjson.Value
	for _, p := range c.ReplacePaths {
		paths = append(paths, steps(p))
	}
	before, after := side{c.Before, nil, c.BeforeSensitive}, side{c.After, c.AfterUnknown, c.AfterSensitive}
	if d.options.Reveal {
		before.sensitive, after.sensitive = nil, nil
	}
	if c.Actions.IsForget() {
		after = before // nothing happens to the object
	}
	unchanged := d.options.Unchanged
	d.options.Unchanged = unchanged || r.Importing // all of it is new to a reader
	d.object(&r.Object, before, after, d.shapes.resource(rc.ProviderName, rc.Mode, rc.Type), paths)
	d.options.Unchanged = unchanged
	if d.options.Reveal {
		r.Object.tellMarks(c.BeforeSensitive, c.AfterSensitive)
	}
	return r
}

// leafTexts returns the strings and numbers in a value, also names.
func leafTexts(v planjson.Value) (list []string) {
	if v.Check() != nil {
		return nil
	}
	for i := 0; i < len(v); {
		end := i + 1
		switch c := v[i]; {
		case c == '"':
			end = jsonscan.StringEnd(v, i)
			list = append(list, jsonscan.Unquote(v[i:end]))
		case c == '-' || '0' <= c && c <= '9':
			end = jsonscan.ValueEnd(v, i)
			list = append(list, string(v[i:end]))
		}
		i = end
	}
	return list
}

// isMarked reports whether a text may be, or have, one that is sensitive in an
// object.
func isMarked(object, sensitive planjson.Value, text string) bool {
	if !plantext.HasTrue(sensitive) {
		return false
	}
	if sensitive.Kind() != planjson.KindObject || object.Kind() != planjson.KindObject {
		return true
	}
	marked := make(map[string]bool)
	for name, m := range sensitive.Members() {
		marked[name] = plantext.HasTrue(m)
	}
	for name, v := range object.Members() {
		if !marked[name] {
			continue
		}
		for i := 0; i < len(v); {
			end := i + 1
			switch c := v[i]; {
			case c == '"':
				end = jsonscan.StringEnd(v, i)
				if s := jsonscan.Unquote(v[i:end]); len(s) >= minMarked && strings.Contains(text, s) || s == text {
					return true
				}
			case c == '-' || '0' <= c && c <= '9':
				end = jsonscan.ValueEnd(v, i)
				if n := string(v[i:end]); len(n) >= minMarked && strings.Contains(text, n) || n == text {
					return true
				}
			}
			i = end
		}
	}
	return false
}

// minMarked is how long a sensitive text is at least to be looked for in others.
const minMarked = 4

// object compares two objects of a resource.
func (d *differ) object(root *Attribute, b, a side, s *shape, paths [][]planjson.Value) {
	if len(d.hashes.known) > 0 {
		d.hashes.known = nil
	}
	d.failed = 0
	holder := &d.holder
	*holder = Attribute{Index: -1, Children: holder.Children[:0]}
	d.attribute(spot{parent: holder, index: -1, shape: s, top: true}, b, a, paths)
	*root = Attribute{Index: -1}
	switch {
	case len(holder.Children) == 1:
		*root = *holder.Children[0]
	case len(holder.Children) > 1: // of different kinds, which no tool writes
		root.Status, root.Container, root.Children = Changed, planjson.KindArray, slices.Clone(holder.Children)
		for i, c := range root.Children {
			c.Index = i
		}
	}
	root.parent, root.Name, root.Index = nil, "", -1
	for _, c := range root.Children {
		c.parent = root
	}
	budget := maxCauses
	for _, p := range paths {
		root.markCause(p, &budget)
	}
}

// maxCauses bounds the search for the causes of a replacement in one object.
const maxCauses = 1 << 20

// markCause marks the innermost attribute that is shown on a path that forces a
// replacement, unless something on the path or below is marked already: what the path ends
// at may be hidden.
func (d *Attribute) markCause(path []planjson.Value, budget *int) {
	at := d
	for _, step := range path {
		if at.ForcesReplacement {
			return
		}
		name, isName := step.Text()
		index, isIndex := step.Int64()
		i := slices.IndexFunc(at.Children, func(c *Attribute) bool {
			return isName && c.Index < 0 && c.Name == name || isIndex && int64(c.Index) == index
		})
		if *budget -= len(at.Children); i < 0 || *budget < 0 {
			break
		}
		at = at.Children[i]
	}
	for x := range at.All() {
		if *budget--; x.ForcesReplacement || *budget < 0 {
			return
		}
	}
	at.ForcesReplacement = true
}

func (d *differ) outputs(p *planjson.Plan) []*Output {
	var diffs []*Output
	for _, name := range slices.Sorted(maps.Keys(p.OutputChanges)) {
		c := p.OutputChanges[name]
		if c == nil || c.Actions.IsNoOp() && !d.options.Unchanged {
			continue
		}
		before, after := outputMarks(p, name, c)
		marks := [2]planjson.Value{before, after}
		if d.options.Reveal {
			before, after = nil, nil
		}
		o := d.output(name, c.Actions, side{c.Before, nil, before}, side{c.After, c.AfterUnknown, after})
		if len(o.Values) == 0 {
			o.Values = []*Attribute{announced(p, name, c, plantext.HasTrue(before) || plantext.HasTrue(after))}
		}
		if d.options.Reveal {
			for _, v := range o.Values {
				v.tellMarks(marks[0], marks[1])
			}
		}
		diffs = append(diffs, o)
	}
	return diffs
}

// announced returns what a plan announces of an output whose value stays the same. The marks
// of both sides are the same in the plan, so that only the prior state and the configuration
// tell whether it was and will be sensitive.
func announced(p *planjson.Plan, name string, c *planjson.Change, isSensitive bool) *Attribute {
	n := &Attribute{Name: name, Index: -1, From: -1, parent: &Attribute{Index: -1, Container: planjson.KindObject}}
	k := c.After.Kind()
	switch {
	case isSensitive:
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, true, true
		if s := p.PriorState; s != nil && s.Values != nil && s.Values.Outputs[name] != nil {
			n.SensitiveBefore = s.Values.Outputs[name].Sensitive
		}
		if _, _, decoded := planjson.Position(p); decoded {
			if o := p.Config().RootModule.Outputs[name]; o != nil {
				n.SensitiveAfter = o.Sensitive
			}
		}
	case k == planjson.KindObject || k == planjson.KindArray:
	case string(c.Before) == string(c.After) || k == planjson.KindAbsent:
		n.Before, n.After = c.Before, c.After
	default: // spelled in another way
		n.Status, n.Before, n.After = Changed, c.Before, c.After
	}
	return n
}

// outputMarks returns the marks of an output before and after a change. The changes of
// Terraform before 0.15 have none: only other parts of the plan say which outputs are
// sensitive.
func outputMarks(p *planjson.Plan, name string, c *planjson.Change) (before, after planjson.Value) {
	if c.BeforeSensitive != nil || c.AfterSensitive != nil {
		return c.BeforeSensitive, c.AfterSensitive
	}
	planned := p.PlannedValues.Outputs[name]
	isSensitive := planned != nil && planned.Sensitive
	if s := p.PriorState; s != nil && s.Values != nil {
		prior := s.Values.Outputs[name]
		isSensitive = isSensitive || prior != nil && prior.Sensitive
	}
	if _, _, decoded := planjson.Position(p); decoded && !isSensitive {
		o := p.Config().RootModule.Outputs[name]
		isSensitive = o != nil && o.Sensitive
	}
	if isSensitive {
		return planjson.Literal(true), planjson.Literal(true)
	}
	return nil, nil
}

func (d *differ) output(name string, actions planjson.Actions, b, a side) *Output {
	d.failed = 0
	holder := &Attribute{Index: -1, Container: planjson.KindObject}
	d.attribute(spot{parent: holder, name: []byte(name), index: -1, shape: jsonShape}, b, a, nil)
	return &Output{Name: name, Actions: actions, Values: holder.Children}
}

// steps returns the steps of a path that is spelled as a JSON array.
func steps(path planjson.Value) (list []planjson.Value) {
	for _, step := range path.Elements() {
		list = append(list, step)
	}
	return list
}
