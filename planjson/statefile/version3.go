// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// A before4 is the text of version 3 that a state was decoded from, and what Encode would
// write for it in version 4.
type before4 struct{ text, upgraded []byte }

// A state3 is a state of version 3, as Terraform 0.9 to 0.11 wrote it, and programs that
// stand on these, such as terraformer, write it today.
//
// Source: OpenTofu v1.12 internal/states/statefile/version3_upgrade.go.
type state3 struct {
	TerraformVersion string    `json:"terraform_version"`
	Serial           int64     `json:"serial"`
	Lineage          string    `json:"lineage"`
	Modules          []module3 `json:"modules"`
}

type module3 struct {
	Path      []string              `json:"path"`
	Outputs   map[string]*output3   `json:"outputs"`
	Resources map[string]*resource3 `json:"resources"`
}

type output3 struct {
	Sensitive bool            `json:"sensitive"`
	Value     json.RawMessage `json:"value"`
}

// A resource3 is a resource instance.
type resource3 struct {
	Primary  *object3   `json:"primary"`
	Deposed  []*object3 `json:"deposed"`
	Provider string     `json:"provider"`
}

type object3 struct {
	ID         string                     `json:"id"`
	Attributes map[string]string          `json:"attributes"`
	Meta       map[string]json.RawMessage `json:"meta"`
	Tainted    bool                       `json:"tainted"`
}

// decode3 decodes a state of version 3 as both tools do: it has the content of version 4
// that they make of it. The attributes stay flat, as only the provider can do more.
func decode3(src []byte) (*File, error) {
	var old state3
	if err := json.Unmarshal(src, &old); err != nil {
		at := &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: %w", ErrKind, err)}
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			at.Offset = e.Offset
			at.Line, at.Column = jsonscan.Position(src, int(e.Offset))
			at.Err = fmt.Errorf("%w: %s is not a %s", ErrKind, e.Value, e.Type.Kind())
		}
		return nil, at
	}
	f := &File{Version: 4, TerraformVersion: old.TerraformVersion, Serial: uint64(old.Serial), Lineage: old.Lineage, Outputs: map[string]*Output{}}
	if old.TerraformVersion == "" {
		f.TerraformVersion = "0.0.0"
	}
	if old.Serial < 0 {
		return nil, invalid3(src, errors.New("a serial is not negative"), "serial")
	}
	for i := range old.Modules {
		if err := f.upgrade(src, i, &old.Modules[i]); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(f.Resources, compareText)
	upgraded, err := Encode(f)
	if err != nil {
		return nil, err
	}
	f, err = Decode(upgraded)
	if err != nil { // its place is none in src
		return nil, &Error{Line: 1, Column: 1, Err: fmt.Errorf("as a state of version 4: %w", err)}
	}
	f.older = &before4{src, upgraded}
	return f, nil
}

func invalid3(src []byte, err error, path ...any) error {
	at := placeOf(src, path...)
	at.Err = fmt.Errorf("%w: %w", ErrInvalid, err)
	return at
}

// upgrade adds what a module has.
func (f *File) upgrade(src []byte, i int, m *module3) error {
	module, err := module3Of(m.Path)
	if err != nil {
		return invalid3(src, err, "modules", i, "path")
	}
	for name, o := range m.Outputs {
		if module != "" {
			break
		}
		if f.Outputs[name], err = o.upgrade(); err != nil {
			return invalid3(src, err, "modules", i, "outputs", name)
		}
	}
	resources := make(map[addrs.Resource]*Resource)
	for _, address := range slices.Sorted(maps.Keys(m.Resources)) {
		if err := addInstance(resources, module, address, m.Resources[address]); err != nil {
			return invalid3(src, err, "modules", i, "resources", address)
		}
	}
	for _, r := range resources {
		slices.SortStableFunc(r.Instances, compareObjects)
		f.Resources = append(f.Resources, r)
	}
	return nil
}

// module3Of returns the address of the module with a path.
func module3Of(path []string) (string, error) {
	if len(path) == 0 || path[0] != "root" {
		return "", errors.New(`the path of a module begins with "root"`)
	}
	if len(path) == 1 {
		return "", nil
	}
	module := "module." + strings.Join(path[1:], ".module.")
	if _, err := addrs.ParseModule(module); err != nil || slices.ContainsFunc(path[1:], func(s string) bool { return strings.ContainsAny(s, ".[") }) {
		return "", errors.New("the path has a name that no module can have")
	}
	return module, nil
}

// upgrade returns an output as version 4 has it.
func (o *output3) upgrade() (*Output, error) {
	if o == nil || o.Value == nil {
		return nil, errors.New("an output has no value")
	}
	typ, err := planjson.ValueOf(simplified(impliedType(planjson.Value(o.Value), 0)))
	if err != nil {
		return nil, causeOf(err)
	}
	return &Output{Value: planjson.Value(o.Value), Type: typ, Sensitive: o.Sensitive}, nil
}

// addInstance adds the objects of a resource instance, whose address is such as
// data.TYPE.NAME.0.
func addInstance(resources map[addrs.Resource]*Resource, module, address string, old *resource3) error {
	steps := strings.Split(address, ".")
	mode := addrs.Managed
	if len(steps) > 2 && steps[0] == "data" {
		mode, steps = addrs.Data, steps[1:]
	}
	if len(steps) < 2 || len(steps) > 3 {
		return errors.New("this is not the address of a resource instance")
	}
	local, err := addrs.NewResource(mode, steps[0], steps[1])
	if err != nil {
		return err
	}
	var key planjson.Value
	if len(steps) == 3 {
		n, err := strconv.ParseInt(steps[2], 0, 0)
		if err != nil || n < 0 {
			return errors.New("the address of a resource instance ends with its number")
		}
		key = planjson.Literal(int(n))
	}
	if old == nil {
		return errors.New("null is not a resource instance")
	}
	r := resources[local]
	if r == nil {
		provider, err := providerOf3(module, steps[0], old.Provider)
		if err != nil {
			return err
		}
		r = &Resource{Module: module, Mode: mode, Type: steps[0], Name: steps[1], Provider: provider}
		resources[local] = r
	}
	for i, o := range append([]*object3{old.Primary}, old.Deposed...) {
		if o == nil {
			continue
		}
		now, err := o.upgrade(key)
		if err != nil {
			return err
		}
		if i > 0 {
			now.Deposed = fmt.Sprintf("%08x", i)
		}
		r.Instances = append(r.Instances, now)
	}
	return nil
}

// providerOf3 returns the address of a provider configuration in the form of Terraform 0.12.
func providerOf3(module, typ, provider string) (string, error) {
	if !strings.Contains(provider, "provider.") {
		if provider == "" { // the one that the type implies
			provider, _, _ = strings.Cut(typ, "_")
		}
		provider = "provider." + provider
		if module != "" {
			provider = module + "." + provider
		}
	}
	c, err := addrs.ParseRecordedProvider(provider)
	if err == nil && c.Provider().IsBuiltIn() {
		return c.String(), nil
	}
	return provider, checkProvider(provider)
}

// upgrade returns an object as version 4 has it.
func (o *object3) upgrade(key planjson.Value) (*InstanceObject, error) {
	now := &InstanceObject{IndexKey: key, AttributesFlat: maps.Clone(o.Attributes), SensitiveAttributes: planjson.Value("[]")}
	if o.Tainted {
		now.Status = StatusTainted
	}
	if o.ID != "" && o.Attributes["id"] == "" {
		if now.AttributesFlat == nil {
			now.AttributesFlat = make(map[string]string)
		}
		now.AttributesFlat["id"] = o.ID
	}
	private := maps.Clone(o.Meta)
	version := planjson.Value(private["schema_version"])
	if text, ok := version.Text(); ok {
		version = planjson.Value(text)
	}
	if n, err := strconv.ParseUint(string(version), 10, 64); err == nil {
		now.SchemaVersion = n
		delete(private, "schema_version")
	}
	if len(private) > 0 {
		text, err := json.Marshal(private)
		if err != nil {
			return nil, err
		}
		now.Private = base64.StdEncoding.EncodeToString(text)
	}
	return now, nil
}

// impliedType returns the type that a value of JSON has without a type of its own.
func impliedType(v planjson.Value, depth int) cty.Type {
	switch kind := v.Kind(); {
	case kind == planjson.KindString:
		return cty.String
	case kind == planjson.KindNumber:
		return cty.Number
	case kind == planjson.KindBool:
		return cty.Bool
	case kind == planjson.KindArray && depth < maxDepth:
		types := []cty.Type{}
		for _, e := range v.Elements() {
			types = append(types, impliedType(e, depth+1))
		}
		return cty.Tuple(types)
	case kind == planjson.KindObject && depth < maxDepth:
		types := make(map[string]cty.Type)
		for name, e := range v.Members() {
			types[name] = impliedType(e, depth+1)
		}
		return cty.Object(types)
	}
	return cty.DynamicPseudoType
}

// simplified returns the list or map that a type most likely was: Terraform had no others
// before 0.12.
func simplified(t cty.Type) cty.Type {
	var parts []cty.Type
	switch {
	case t.IsTupleType():
		parts = t.TupleElementTypes()
	case t.IsObjectType():
		parts = slices.Collect(maps.Values(t.AttributeTypes()))
	}
	for _, p := range parts {
		if !p.Equals(parts[0]) {
			return t
		}
	}
	switch {
	case len(parts) == 0:
		return t
	case t.IsTupleType():
		return cty.List(simplified(parts[0]))
	}
	return cty.Map(simplified(parts[0]))
}

// quoteProviders writes the addresses of providers as a tool does today. It is for a state
// that Terraform before 0.13 wrote. Without a tool, only that of the built-in one changes: for
// others, each tool refuses the host that the other writes, and both read provider.aws.
func (f *File) quoteProviders(tool addrs.Tool) {
	host := addrs.DefaultHost
	if tool == addrs.Terraform {
		host = addrs.TerraformHost
	}
	for _, r := range f.Resources {
		c, err := addrs.ParseRecordedProvider(r.Provider)
		if err != nil || !ofType(r.Provider) {
			continue
		}
		p := c.Provider()
		if !p.IsBuiltIn() {
			if tool == "" {
				continue
			}
			if p, err = p.WithHost(host); err != nil {
				continue
			}
		}
		if c, err = addrs.NewAbsProviderConfig(c.Module(), p, c.Alias(), c.Key()); err == nil {
			r.Provider = c.String()
		}
	}
}
