// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of fields are those of the messages in OpenTofu docs/plugin-protocol,
// tfplugin5.10.proto and tfplugin6.10.proto. Both versions have the same but for those of
// attributes that came after nested types, which only version 6 has. Those that only
// Terraform has (list_resource_schemas, state_store_schemas and action_schemas, and what says
// functions are deprecated) are in tfplugin6.proto of terraform-plugin-go.

// A reader reads the messages of a version of the protocol for a tool.
type reader struct {
	tool      addrs.Tool
	attribute struct{ nested, writeOnly, deprecation protowire.Number }
}

func newReader(version int, tool addrs.Tool) reader {
	r := reader{tool: tool}
	r.attribute.nested, r.attribute.writeOnly, r.attribute.deprecation = 10, 11, 12
	if version == 5 {
		r.attribute.nested, r.attribute.writeOnly, r.attribute.deprecation = -1, 10, 11
	}
	return r
}

// A field is one of a message: a number, or text.
type field struct {
	n    uint64
	text []byte
}

func (f field) bool() bool { return f.n != 0 }

// string returns the text of a string, which must be UTF-8.
func (f field) string() (string, error) {
	if !utf8.Valid(f.text) {
		return "", errors.New("a string of its answer is not UTF-8")
	}
	return string(f.text), nil
}

// eachField calls do with the fields of a message, in order, and returns its first error.
func eachField(text []byte, do func(number protowire.Number, f field) error) error {
	for len(text) > 0 {
		number, kind, n := protowire.ConsumeTag(text)
		if n < 0 {
			return protowire.ParseError(n)
		}
		text = text[n:]
		var f field
		switch kind {
		case protowire.VarintType:
			f.n, n = protowire.ConsumeVarint(text)
		case protowire.BytesType:
			f.text, n = protowire.ConsumeBytes(text)
		default:
			number, n = 0, protowire.ConsumeFieldValue(number, kind, text) // none that is read has such a type
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		text = text[n:]
		if err := do(number, f); err != nil {
			return err
		}
	}
	return nil
}

// setString returns a case of eachField's function: it sets a string.
func setString(to *string, f field) (err error) {
	*to, err = f.string()
	return err
}

// entry reads an entry of a map.
func entry(f field) (key string, value []byte, err error) {
	err = eachField(f.text, func(number protowire.Number, f field) error {
		switch number {
		case 1:
			return setString(&key, f)
		case 2:
			value = f.text
		}
		return nil
	})
	return key, value, err
}

// put reads an entry of a map of schemas.
func (r reader) put(m map[string]*planjson.Schema, f field) error {
	name, text, err := entry(f)
	if err == nil {
		m[name], err = r.readSchema(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readSchemas reads a GetProviderSchema.Response. An error among its diagnostics is the error.
func (r reader) readSchemas(text []byte) (*planjson.ProviderSchema, error) {
	out := &planjson.ProviderSchema{
		ResourceSchemas: map[string]*planjson.Schema{}, DataSourceSchemas: map[string]*planjson.Schema{}, EphemeralResourceSchemas: map[string]*planjson.Schema{},
		ListResourceSchemas: map[string]*planjson.Schema{}, StateStoreSchemas: map[string]*planjson.Schema{},
		Functions: map[string]*planjson.ProviderFunction{}, ActionSchemas: map[string]*planjson.ActionSchema{},
	}
	var own *planjson.Schema
	var problems []error
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		newer := r.tool == addrs.Terraform // what OpenTofu does not have
		switch {
		case number == 1:
			own, err = r.readSchema(f.text)
		case number == 2:
			return r.put(out.ResourceSchemas, f)
		case number == 3:
			return r.put(out.DataSourceSchemas, f)
		case number == 4:
			return readDiagnostic(&problems, f.text)
		case number == 7:
			return r.putFunction(out.Functions, f)
		case number == 8:
			return r.put(out.EphemeralResourceSchemas, f)
		case number == 9 && newer:
			return r.put(out.ListResourceSchemas, f)
		case number == 10 && newer:
			return r.put(out.StateStoreSchemas, f)
		case number == 11 && newer:
			return r.putAction(out.ActionSchemas, f)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, errors.Join(problems...)
	case own == nil:
		return nil, errors.New("it has no schema of its configuration")
	}
	out.Provider = *own
	dropEmpty(&out.ResourceSchemas)
	dropEmpty(&out.DataSourceSchemas)
	dropEmpty(&out.EphemeralResourceSchemas)
	dropEmpty(&out.ListResourceSchemas)
	dropEmpty(&out.StateStoreSchemas)
	dropEmpty(&out.Functions)
	dropEmpty(&out.ActionSchemas)
	return out, nil
}

// dropEmpty makes a map without entries absent: the tools leave it out.
func dropEmpty[V any](m *map[string]V) {
	if len(*m) == 0 {
		*m = nil
	}
}

// readDiagnostic adds the text of an error.
func readDiagnostic(problems *[]error, text []byte) error {
	var severity uint64
	var summary, detail string
	err := eachField(text, func(number protowire.Number, f field) error {
		switch number {
		case 1:
			severity = f.n
		case 2:
			return setString(&summary, f)
		case 3:
			return setString(&detail, f)
		}
		return nil
	})
	if err == nil && severity == 1 {
		*problems = append(*problems, errors.New(strings.TrimSuffix(summary+": "+detail, ": ")))
	}
	return err
}

// readSchema reads a Schema.
func (r reader) readSchema(text []byte) (*planjson.Schema, error) {
	s := &planjson.Schema{}
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 1:
			if s.Version = f.n; int64(f.n) < 0 {
				return errors.New("the version of the schema is negative")
			}
		case 2:
			s.Block, err = r.readBlock(f.text, 0)
		}
		return err
	})
	if err == nil && s.Block == nil {
		return nil, errors.New("its schema has no block")
	}
	return s, err
}

// maxDepth is how deep blocks and nested attributes may nest. Real ones stay below twenty.
const maxDepth = 200

var errDepth = fmt.Errorf("its schema nests more than %d levels", maxDepth)

func kindOf(f field) planjson.DescriptionKind {
	if f.n == 1 {
		return planjson.DescriptionMarkdown
	}
	return planjson.DescriptionPlain
}

// readBlock reads a Schema.Block.
func (r reader) readBlock(text []byte, depth int) (*planjson.Block, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	b := &planjson.Block{Attributes: map[string]*planjson.Attribute{}, BlockTypes: map[string]*planjson.BlockType{}, DescriptionKind: planjson.DescriptionPlain}
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 2:
			err = r.readAttribute(b.Attributes, f.text, depth+1)
		case 3:
			err = r.readBlockType(b.BlockTypes, f.text, depth+1)
		case 4:
			err = setString(&b.Description, f)
		case 5:
			b.DescriptionKind = kindOf(f)
		case 6:
			b.Deprecated = f.bool()
		case 7:
			err = setString(&b.DeprecationMessage, f)
		}
		return err
	})
	for name := range b.BlockTypes {
		if b.Attributes[name] != nil && err == nil {
			err = fmt.Errorf("%s is both an attribute and a block", name)
		}
	}
	dropEmpty(&b.Attributes)
	dropEmpty(&b.BlockTypes)
	return b, err
}

// nestingModes are those of Schema.NestedBlock.
var nestingModes = []planjson.NestingMode{"", planjson.NestingSingle, planjson.NestingList, planjson.NestingSet, planjson.NestingMap, planjson.NestingGroup}

func modeOf(f field) planjson.NestingMode {
	if f.n >= uint64(len(nestingModes)) {
		return ""
	}
	return nestingModes[f.n]
}

var blockName = lazy.Regexp(`^[a-z0-9_]+$`)

// readBlockType reads a Schema.NestedBlock.
func (r reader) readBlockType(to map[string]*planjson.BlockType, text []byte, depth int) error {
	n := &planjson.BlockType{}
	var name string
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 1:
			err = setString(&name, f)
		case 2:
			n.Block, err = r.readBlock(f.text, depth)
		case 3:
			n.NestingMode = modeOf(f)
		case 4:
			n.MinItems = f.n
		case 5:
			n.MaxItems = f.n
		}
		return err
	})
	if err == nil {
		err = checkBlockType(n, name)
	}
	if err != nil {
		return fmt.Errorf("block %q: %w", name, err)
	}
	to[name] = n
	return nil
}

// checkBlockType refuses what the tools refuse.
//
// Source: OpenTofu internal/configs/configschema/internal_validate.go; the same for checkAttribute.
func checkBlockType(n *planjson.BlockType, name string) error {
	least, most := int64(n.MinItems), int64(n.MaxItems)
	switch mode := n.NestingMode; {
	case n.Block == nil:
		return errors.New("it has no schema")
	case !blockName().MatchString(name):
		return errors.New("a name has only lowercase letters, digits and underscores")
	case mode == "":
		return errors.New("its nesting mode is not known")
	case least < 0 || most < 0:
		return errors.New("its number is negative")
	case mode == planjson.NestingSingle && (least != most || least > 1):
		return errors.New("a single block has 0 or 1 as minimum and maximum")
	case (mode == planjson.NestingGroup || mode == planjson.NestingMap) && (least != 0 || most != 0):
		return fmt.Errorf("a block of mode %s has no minimum or maximum", mode)
	case least > most && most != 0:
		return errors.New("its minimum is above its maximum")
	case mode == planjson.NestingSet && hasDynamic(n.Block):
		return errors.New("a block of mode set has an attribute of any type")
	}
	return nil
}

func hasDynamic(b *planjson.Block) bool {
	t, err := b.ImpliedType()
	return err == nil && t.HasDynamicTypes()
}

// readAttribute reads a Schema.Attribute.
func (r reader) readAttribute(to map[string]*planjson.Attribute, text []byte, depth int) error {
	a := &planjson.Attribute{DescriptionKind: planjson.DescriptionPlain}
	var name string
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 1:
			err = setString(&name, f)
		case 2:
			a.Type, err = readType(f.text)
		case 3:
			err = setString(&a.Description, f)
		case 4:
			a.Required = f.bool()
		case 5:
			a.Optional = f.bool()
		case 6:
			a.Computed = f.bool()
		case 7:
			a.Sensitive = f.bool()
		case 8:
			a.DescriptionKind = kindOf(f)
		case 9:
			a.Deprecated = f.bool()
		case r.attribute.nested:
			a.NestedType, err = r.readNestedType(f.text, depth)
		case r.attribute.writeOnly:
			a.WriteOnly = f.bool()
		case r.attribute.deprecation:
			err = setString(&a.DeprecationMessage, f)
		}
		return err
	})
	if err == nil {
		err = checkAttribute(a)
	}
	if err != nil {
		return fmt.Errorf("attribute %q: %w", name, err)
	}
	to[name] = a
	return nil
}

func checkAttribute(a *planjson.Attribute) error {
	switch {
	case !a.Optional && !a.Required && !a.Computed:
		return errors.New("it is neither required, optional nor computed")
	case a.Required && (a.Optional || a.Computed):
		return errors.New("it is required, and also optional or computed")
	case len(a.Type) == 0 && a.NestedType == nil:
		return errors.New("it has no type")
	case len(a.Type) > 0 && a.NestedType != nil:
		return errors.New("its Type and NestedType cannot both be set")
	case a.NestedType == nil:
	case a.NestedType.NestingMode == "" || a.NestedType.NestingMode == planjson.NestingGroup:
		return errors.New("its nesting mode is not known")
	case a.NestedType.NestingMode == planjson.NestingSet && hasDynamic(&planjson.Block{Attributes: a.NestedType.Attributes}):
		return errors.New("a nested attribute of mode set has an attribute of any type")
	}
	return nil
}

// readNestedType reads a Schema.Object.
func (r reader) readNestedType(text []byte, depth int) (*planjson.NestedType, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	n := &planjson.NestedType{Attributes: map[string]*planjson.Attribute{}}
	err := eachField(text, func(number protowire.Number, f field) error {
		switch number {
		case 1:
			return r.readAttribute(n.Attributes, f.text, depth+1)
		case 3:
			n.NestingMode = modeOf(f)
		}
		return nil
	})
	dropEmpty(&n.Attributes)
	return n, err
}

// readType reads a type and writes it as the tools do.
func readType(text []byte) (planjson.Value, error) {
	t, err := planjson.ParseType(planjson.Value(text))
	if err != nil {
		return nil, err
	}
	return writeType(t)
}

func writeType(t cty.Type) (planjson.Value, error) {
	out, err := t.MarshalJSON()
	return planjson.Value(out), err
}

// functionType reads the type of a parameter or of a result. OpenTofu does not write which members
// of its outermost object are optional.
func (r reader) functionType(text []byte) (planjson.Value, error) {
	t, err := planjson.ParseType(planjson.Value(text))
	if err != nil {
		return nil, err
	}
	if r.tool == addrs.OpenTofu && t.IsObjectType() {
		t = cty.Object(t.AttributeTypes())
	}
	return writeType(t)
}

// putFunction reads an entry of the map of functions, whose values are of type Function.
func (r reader) putFunction(to map[string]*planjson.ProviderFunction, entryField field) error {
	name, text, err := entry(entryField)
	if err != nil {
		return err
	}
	out := &planjson.ProviderFunction{}
	err = eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 1:
			var p *planjson.ProviderFunctionParameter
			p, err = r.readParameter(f.text)
			out.Parameters = append(out.Parameters, p)
		case 2:
			out.VariadicParameter, err = r.readParameter(f.text)
		case 3:
			err = eachField(f.text, func(number protowire.Number, f field) (err error) {
				if number == 1 {
					out.ReturnType, err = r.functionType(f.text)
				}
				return err
			})
		case 4:
			err = setString(&out.Summary, f)
		case 5:
			err = setString(&out.Description, f)
		case 7:
			if r.tool == addrs.Terraform {
				err = setString(&out.DeprecationMessage, f)
			}
		}
		return err
	})
	if err == nil && len(out.ReturnType) == 0 {
		err = errors.New("its result has no type")
	}
	if err != nil {
		return fmt.Errorf("function %q: %w", name, err)
	}
	to[name] = out
	return nil
}

func (r reader) readParameter(text []byte) (*planjson.ProviderFunctionParameter, error) {
	p := &planjson.ProviderFunctionParameter{}
	err := eachField(text, func(number protowire.Number, f field) (err error) {
		switch number {
		case 1:
			err = setString(&p.Name, f)
		case 2:
			p.Type, err = r.functionType(f.text)
		case 3:
			p.IsNullable = f.bool()
		case 5:
			err = setString(&p.Description, f)
		}
		return err
	})
	if err == nil && len(p.Type) == 0 {
		err = fmt.Errorf("parameter %q has no type", p.Name)
	}
	return p, err
}

// putAction reads an entry of the map of actions, whose values are of type ActionSchema.
func (r reader) putAction(to map[string]*planjson.ActionSchema, f field) error {
	name, text, err := entry(f)
	if err != nil {
		return err
	}
	return eachField(text, func(number protowire.Number, f field) error {
		if number != 1 {
			return nil
		}
		s, err := r.readSchema(f.text)
		if err != nil {
			return fmt.Errorf("action %q: %w", name, err)
		}
		to[name] = &planjson.ActionSchema{Block: s.Block}
		return nil
	})
}

// readIdentities reads a GetResourceIdentitySchemas.Response.
func readIdentities(text []byte) (map[string]*planjson.IdentitySchema, error) {
	out := map[string]*planjson.IdentitySchema{}
	var problems []error
	err := eachField(text, func(number protowire.Number, f field) error {
		switch number {
		case 1:
			name, text, err := entry(f)
			if err == nil {
				out[name], err = readIdentity(text)
			}
			return err
		case 2:
			return readDiagnostic(&problems, f.text)
		}
		return nil
	})
	return out, errors.Join(append(problems, err)...)
}

// readIdentity reads a ResourceIdentitySchema.
func readIdentity(text []byte) (*planjson.IdentitySchema, error) {
	s := &planjson.IdentitySchema{Attributes: map[string]*planjson.IdentityAttribute{}}
	err := eachField(text, func(number protowire.Number, f field) error {
		switch number {
		case 1:
			s.Version = f.n
		case 2:
			a := &planjson.IdentityAttribute{}
			var name string
			err := eachField(f.text, func(number protowire.Number, f field) (err error) {
				switch number {
				case 1:
					err = setString(&name, f)
				case 2:
					a.Type, err = readType(f.text)
				case 3:
					a.RequiredForImport = f.bool()
				case 4:
					a.OptionalForImport = f.bool()
				case 5:
					err = setString(&a.Description, f)
				}
				return err
			})
			s.Attributes[name] = a
			return err
		}
		return nil
	})
	dropEmpty(&s.Attributes)
	return s, err
}

// addIdentities adds the identities of the resources that there are.
func addIdentities(s *planjson.ProviderSchema, ids map[string]*planjson.IdentitySchema) {
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		if s.ResourceSchemas[name] == nil {
			continue
		}
		if s.ResourceIdentitySchemas == nil {
			s.ResourceIdentitySchemas = map[string]*planjson.IdentitySchema{}
		}
		s.ResourceIdentitySchemas[name] = ids[name]
	}
}
