// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// Show returns f as "show -json" prints it. With the schemas of the providers, as
// "providers schema -json" prints them, [planjson.Canonical] of the result is what the
// tool prints: every attribute is present, and what the schemas call sensitive is
// marked. An instance whose schema has another version than its attributes is an
// error, as it is for the tool.
//
// The schemas may be nil, or lack a resource type. Then the attributes are shown as
// the state has them: those that the provider has added since are missing, a value of
// a type that the schema leaves open is an object with value and type (those of
// terraform_data and terraform_remote_state are known without schemas), and only what
// the state itself marks is marked. States of OpenTofu before 1.10 and Terraform
// before 1.10 lack the marks of schemas.
//
// A path in sensitive_attributes that fits no part of the value marks the deepest part
// that it leads to. The tools ignore such a path; [ShowExactly] does too.
//
// The result refers to the text of f. It is {"format_version":"1.0"} for a nil or
// empty f. Attributes from before Terraform 0.12 ([InstanceObject.AttributesFlat])
// need the schemas; without them, each of their texts is shown under its own key. The
// error is an [*Error].
func Show(f *File, schemas *planjson.Schemas) (*planjson.State, error) {
	return show(f, schemas, (*shower).carefulMarks)
}

// ShowExactly is [Show] with the marks of the tool alone, to write what "show -json"
// prints. Do not use it to find out what to hide: a path in sensitive_attributes that
// fits no part of a value whose type is known marks nothing.
func ShowExactly(f *File, schemas *planjson.Schemas) (*planjson.State, error) {
	return show(f, schemas, (*shower).exactMarks)
}

func show(f *File, schemas *planjson.Schemas, marks marking) (*planjson.State, error) {
	state := &planjson.State{FormatVersion: "1.0"}
	if f == nil || len(f.Resources) == 0 && len(f.Outputs) == 0 {
		return state, nil
	}
	s := shower{file: f, schemas: schemas, terraform: f.ofTerraform(), marks: marks, modules: make(map[string]*planjson.Module)}
	s.types, s.patterns = make(map[typeKey]*shownType), make(map[string]*pattern)
	state.TerraformVersion = threeNumbers(f.TerraformVersion)
	state.Values = new(planjson.Values)
	s.modules[""] = &state.Values.RootModule
	if err := s.outputs(state.Values); err != nil {
		return nil, err
	}
	for _, r := range f.Resources {
		if r == nil {
			return nil, &Error{Err: ErrAbsent}
		}
		module, err := addrs.ParseModuleInstance(r.Module)
		if r.Module != "" && err != nil {
			return nil, &Error{Err: fmt.Errorf("%w: %w", ErrInvalid, err)}
		}
		s.module(module)
	}
	for _, i := range f.sorted() {
		r, err := s.resource(i)
		if err != nil {
			line, column, _ := i.Object.src.Position()
			return nil, &Error{Line: line, Column: column, Err: fmt.Errorf("%s: %w", i.Address, err)}
		}
		m := s.module(i.Address.Module())
		m.Resources = append(m.Resources, r)
	}
	sortChildren(&state.Values.RootModule)
	state.Checks = f.shownChecks()
	return state, nil
}

// ofTerraform reports whether the addresses of providers are rather those of
// Terraform's registry than of OpenTofu's.
func (f *File) ofTerraform() bool {
	n := 0
	for _, r := range f.Resources {
		switch {
		case r == nil:
		case strings.Contains(r.Provider, `"registry.opentofu.org/`):
			n--
		case strings.Contains(r.Provider, `"registry.terraform.io/`):
			n++
		}
	}
	return n > 0
}

// before reports whether a release from 1.0 to before 1.MINOR of its tool wrote the state. What older ones printed had another
// form: their states are shown as later releases show them.
func (f *File) before(minor uint64) bool {
	v, err := addrs.ParseVersion(f.TerraformVersion)
	if err != nil {
		return false
	}
	major, of, _, ok := v.Numbers()
	return ok && major == 1 && of < minor
}

// threeNumbers returns a version with the numbers that it lacks, as the tools
// print it.
func threeNumbers(v string) string {
	v = strings.TrimPrefix(v, "v")
	end := strings.IndexFunc(v, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(v)
	}
	if end == 0 {
		return v
	}
	return v[:end] + strings.Repeat(".0", max(0, 2-strings.Count(v[:end], "."))) + v[end:]
}

// A shower makes the parts of what Show returns.
type shower struct {
	file      *File
	schemas   *planjson.Schemas
	terraform bool
	marks     marking
	modules   map[string]*planjson.Module
	types     map[typeKey]*shownType
	patterns  map[string]*pattern // by the text of sensitive_attributes
	room      []byte              // with the values shown so far; the next come behind them

	config, provider string // the last provider configuration, and the source address in it
}

// module returns the module with this address, made with all above it if there is none.
func (s *shower) module(m addrs.ModuleInstance) *planjson.Module {
	if found := s.modules[m.String()]; found != nil {
		return found
	}
	made := &planjson.Module{Address: m.String()}
	s.modules[m.String()] = made
	child := made
	for !m.IsRoot() {
		m = m.Parent()
		parent := s.modules[m.String()]
		there := parent != nil
		if !there {
			parent = &planjson.Module{Address: m.String()}
			s.modules[m.String()] = parent
		}
		parent.ChildModules = append(parent.ChildModules, child)
		if there {
			break
		}
		child = parent
	}
	return made
}

// sortChildren sorts the modules below m by their addresses.
func sortChildren(m *planjson.Module) {
	slices.SortFunc(m.ChildModules, func(a, b *planjson.Module) int { return cmp.Compare(a.Address, b.Address) })
	for _, child := range m.ChildModules {
		sortChildren(child)
	}
}

func (s *shower) outputs(v *planjson.Values) error {
	if len(s.file.Outputs) > 0 {
		v.Outputs = make(map[string]*planjson.Output, len(s.file.Outputs))
	}
	for name, o := range s.file.Outputs {
		if o == nil {
			return &Error{Pointer: "/outputs", Err: ErrAbsent}
		}
		shown := &planjson.Output{Sensitive: o.Sensitive, Deprecated: o.Deprecated}
		value, err := (&Output{Value: o.Value, Type: o.Type}).Cty()
		if err == nil {
			shown.Value, err = planjson.ValueOf(value)
		}
		if err == nil {
			shown.Type, err = planjson.ValueOf(value.Type())
		}
		if err != nil {
			return &Error{Pointer: placeOf(nil, "outputs", name).Pointer, Err: fmt.Errorf("%w: %w", ErrInvalid, causeOf(err))}
		}
		v.Outputs[name] = shown
	}
	return nil
}

// resource returns an object as it is shown.
func (s *shower) resource(i Instance) (*planjson.Resource, error) {
	o := i.Object
	resource := i.Address.Resource()
	shown := &planjson.Resource{
		Address: i.Address.String(), Mode: resource.Mode(), Type: resource.Type(), Name: resource.Name(),
		ProviderName: s.providerName(i.Provider), Tainted: o.IsTainted(), DeposedKey: o.Deposed,
	}
	key := i.Address.Key()
	if n, ok := key.Int(); ok {
		shown.Index = planjson.Literal(n)
	} else if text, ok := key.Str(); ok {
		shown.Index = planjson.Literal(text)
	}
	if o.Deposed == "" {
		shown.SchemaVersion = o.SchemaVersion
	}
	for _, d := range o.Dependencies {
		if plainAddress(d) {
			shown.DependsOn = append(shown.DependsOn, d)
			continue
		}
		address, err := addrs.ParseAbsResource(d)
		if err != nil {
			return nil, err
		}
		shown.DependsOn = append(shown.DependsOn, address.Config().String())
	}
	if o.Identity != nil && !(s.terraform && o.Identity.IsNull()) {
		identity, err := s.identity(o.Identity)
		if err != nil {
			return nil, err
		}
		shown.Identity, shown.IdentitySchemaVersion = identity, o.IdentitySchemaVersion
	}
	return shown, s.values(shown, o)
}

// identity returns an identity as it is shown: OpenTofu keeps the order of its members
// and the spelling of its values.
func (s *shower) identity(v planjson.Value) (planjson.Value, error) {
	if s.terraform {
		return v.Canonical()
	}
	var compact, escaped bytes.Buffer
	if err := json.Compact(&compact, v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	json.HTMLEscape(&escaped, compact.Bytes())
	return escaped.Bytes(), nil
}

// providerName returns the source address of the provider in the address of its
// configuration.
func (s *shower) providerName(config string) string {
	if s.config != config {
		s.config, s.provider = config, s.sourceAddress(config)
	}
	return s.provider
}

func (s *shower) sourceAddress(config string) string {
	c, err := addrs.ParseRecordedProvider(config)
	source := c.Provider().String()
	if err != nil {
		name, _, ok := legacyProvider(config)
		if !ok {
			return ""
		}
		source = addrs.DefaultHost + "/-/" + name
	}
	if s.terraform && ofType(config) {
		source = strings.Replace(source, addrs.DefaultHost, addrs.TerraformHost, 1)
	}
	return source
}

// values sets the values of an object and its marks.
func (s *shower) values(shown *planjson.Resource, o *InstanceObject) error {
	own, err := s.sensitive(o)
	if err != nil {
		return err
	}
	t, err := s.typeOf(shown, o)
	if err != nil {
		return err
	}
	attributes, concrete := o.Attributes, cty.NilType
	switch {
	case attributes != nil && attributes.Kind() != planjson.KindObject && !attributes.IsNull():
		return fmt.Errorf("%w: the attributes are not an object", ErrInvalid)
	case attributes == nil && o.AttributesFlat != nil:
		attributes, err = t.flatValue(o.AttributesFlat)
	case attributes == nil:
		attributes, concrete, err = s.value(t, planjson.Value("{}"))
	default:
		attributes, concrete, err = s.value(t, attributes)
	}
	if err != nil {
		return causeOf(err)
	}
	if shown.Values = attributes; attributes.IsNull() {
		shown.Values = nil
	}
	patterns := s.marks(s, typedObject{o, own, t, attributes, concrete})
	shown.SensitiveValues = sensitiveValues(attributes, patterns, t.t == cty.NilType)
	return nil
}

// A typedObject is an object whose values are shown.
type typedObject struct {
	*InstanceObject
	own        *pattern // what it calls sensitive itself, nil if nothing
	t          *shownType
	attributes planjson.Value
	concrete   cty.Type // of the attributes; cty.NilType if it is not known
}

// A marking returns what is sensitive in an object.
type marking func(s *shower, o typedObject) []*pattern

// carefulMarks is the marking for programs that hide values.
func (s *shower) carefulMarks(o typedObject) []*pattern {
	return o.own.with(o.t.patterns(s.terraform || o.Deposed != ""))
}

// exactMarks is the marking of the tool. Before OpenTofu 1.8 a set was sensitive if a part of it was, and Terraform 1.3 shows
// the marks of the state alone.
func (s *shower) exactMarks(o typedObject) []*pattern {
	own := o.own
	if own != nil && o.concrete != cty.NilType {
		if typed, err := o.attributes.Cty(o.concrete); err == nil {
			own = o.exactPattern(typed)
		}
	}
	if s.terraform && s.file.before(4) {
		return own.with(nil)
	}
	return own.with(o.t.patterns(s.terraform || s.file.before(8) || o.Deposed != ""))
}

// with adds p to patterns, if it is not nil.
func (p *pattern) with(patterns []*pattern) []*pattern {
	if p == nil {
		return patterns
	}
	return append(patterns, p)
}

// sensitive returns what the object itself calls sensitive, nil if nothing. The lists of
// paths are mostly the same for all objects of a type.
func (s *shower) sensitive(o *InstanceObject) (*pattern, error) {
	list := o.SensitiveAttributes
	if string(list) == "[]" {
		return nil, nil
	}
	if p, ok := s.patterns[string(list)]; ok {
		return p, nil
	}
	p, err := o.pattern()
	if err == nil && p != nil && len(s.patterns) < maxPatterns && len(list) < maxPatterns {
		s.patterns[string(list)] = p
	}
	return p, err
}

// maxPatterns is how many patterns a shower remembers, and the length of their texts.
const maxPatterns = 4096

// SensitiveValues returns the marks of the attributes by [InstanceObject.SensitivePaths], in
// the form of sensitive_values in plans: true for a part that is sensitive. It is for
// programs that hide values, so in doubt it marks more:
//   - A path that fits no part marks the deepest part that it leads to. Null has no parts
//     to hide.
//   - Where the object has a value of an open type, with its type beside it, a path may name
//     this object's members or the parts of the value inside.
//   - Of attributes from before Terraform 0.12, everything is marked if anything is.
//
// The error wraps [ErrInvalid] if the list of paths contains anything but paths, or the
// attributes are not JSON.
func (o *InstanceObject) SensitiveValues() (planjson.Value, error) {
	p, err := o.pattern()
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return planjson.Value("{}"), nil
	case o.Attributes == nil:
		return planjson.Value("true"), nil
	}
	text, ok := jsonscan.Compact(nil, o.Attributes)
	if !ok {
		if text, err = o.Attributes.Canonical(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, causeOf(err))
		}
	}
	return sensitiveValues(text, []*pattern{p}, true), nil
}

// pattern returns the pattern of the object's own paths, nil if there are none.
func (o *InstanceObject) pattern() (*pattern, error) {
	paths, err := o.SensitivePaths()
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	p := &pattern{strict: true}
	for _, path := range paths {
		p.add(path)
	}
	return p, nil
}

// exactPattern is pattern without the paths that the tools ignore, because they fit no
// part of the attributes, which are v in their type. The paths must be valid.
func (o *InstanceObject) exactPattern(v cty.Value) *pattern {
	paths, _ := o.SensitivePaths()
	p := new(pattern)
	for i, steps := range o.SensitiveAttributes.Elements() {
		if fitsPath(v, steps) {
			p.add(paths[i])
		}
	}
	return p
}

// fitsPath reports whether a path leads to a part of v.
func fitsPath(v cty.Value, steps planjson.Value) bool {
	for _, step := range steps.Elements() {
		var next cty.PathStep
		value := step.Member("value")
		if kind, _ := step.Member("type").Text(); kind == "get_attr" {
			name, _ := value.Text()
			next = cty.GetAttrStep{Name: name}
		} else {
			key, err := (&Output{Value: value.Member("value"), Type: value.Member("type")}).Cty()
			switch {
			case v.Type().IsSetType():
				return true // whose elements have no marks of their own
			case err != nil || key.IsNull():
				return false
			}
			next = cty.IndexStep{Key: key}
		}
		var err error
		if v, err = next.Apply(v); err != nil {
			return false
		}
	}
	return true
}

// shownChecks returns the results of checks as they are shown.
func (f *File) shownChecks() []*planjson.Check {
	var list []*planjson.Check
	for _, r := range f.CheckResults {
		kind, known := checkableKinds[r.ObjectKind]
		if !known {
			continue
		}
		address, err := addrs.ParseCheckable(kind, r.ConfigAddr)
		if err != nil {
			continue // Decode refuses it
		}
		check := &planjson.Check{Status: knownStatus(r.Status), Address: planjson.CheckAddress{Kind: kind, Name: address.Name(), ToDisplay: address.String()}}
		if m := address.Module(); !m.IsRoot() {
			check.Address.Module = m.String()
		}
		if i, ok := address.AbsResourceInstance(); ok {
			check.Address.Mode, check.Address.Type = i.Resource().Mode(), i.Resource().Type()
		}
		for _, o := range r.Objects {
			if instance := shownObject(kind, o); instance != nil {
				check.Instances = append(check.Instances, instance)
			}
		}
		check.Instances = lastOfEach(check.Instances, func(i *planjson.CheckInstance) string { return i.Address.ToDisplay })
		list = append(list, check)
	}
	return lastOfEach(list, func(c *planjson.Check) string { return c.Address.ToDisplay })
}

// lastOfEach returns the elements of a list sorted by name, of those with the same name the
// last one alone.
func lastOfEach[E any](list []E, name func(E) string) []E {
	slices.SortStableFunc(list, func(a, b E) int { return cmp.Compare(name(a), name(b)) })
	n := 0
	for i, e := range list {
		if i == len(list)-1 || name(list[i+1]) != name(e) {
			list[n] = e
			n++
		}
	}
	return list[:n]
}

func shownObject(kind addrs.CheckableKind, o *CheckObject) *planjson.CheckInstance {
	if o == nil {
		return nil
	}
	address, err := addrs.ParseCheckable(kind, o.ObjectAddr)
	if err != nil {
		return nil
	}
	shown := &planjson.CheckInstance{Status: knownStatus(o.Status), Address: planjson.CheckInstanceAddress{ToDisplay: address.String()}}
	if m := address.Module(); !m.IsRoot() {
		shown.Address.Module = m.String()
	}
	if i, ok := address.AbsResourceInstance(); ok {
		if n, ok := i.Key().Int(); ok {
			shown.Address.InstanceKey = planjson.Literal(n)
		} else if text, ok := i.Key().Str(); ok {
			shown.Address.InstanceKey = planjson.Literal(text)
		}
	}
	for _, message := range slices.Sorted(slices.Values(o.FailureMessages)) {
		shown.Problems = append(shown.Problems, &planjson.CheckProblem{Message: message})
	}
	return shown
}

// knownStatus returns a status as the tools read it.
func knownStatus(s planjson.CheckStatus) planjson.CheckStatus {
	switch s {
	case planjson.CheckPass, planjson.CheckFail, planjson.CheckError:
		return s
	}
	return planjson.CheckUnknown
}
