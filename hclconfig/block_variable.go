// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// A Variable is a variable block: an input variable of the module.
type Variable struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Type is the type constraint: [Variable.TypeConstraint] reads it. If absent, any value is
	// allowed.
	Type Expression
	// Default is the default value, which may be null: see
	// [Variable.DefaultValue]. It is absent if the caller must give a value.
	Default     Expression
	Description Text // for people; may be absent
	// Sensitive says whether the value is hidden in output. It is false if
	// absent.
	Sensitive Flag
	// Nullable says whether a caller may set null; if not, null means the
	// default. It is true if absent: use Nullable.Or(true).
	Nullable Flag
	// Ephemeral says whether the value is kept out of states and plans (since
	// OpenTofu 1.11). It is false if absent.
	Ephemeral Flag
	// Const says whether the value must be known without the state. If true,
	// arguments of [KindStatic] may use it; if false, they must not (since
	// OpenTofu 1.12). Absent is not the same as false: OpenTofu then decides by
	// itself.
	Const Flag
	// Deprecated is a message for callers that set the variable (since
	// OpenTofu 1.10). If absent, it is not deprecated.
	Deprecated Text
	// Validations are the validation blocks in order.
	Validations []*CheckRule
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newVariable(b *Block) *Variable {
	return &Variable{
		Block: b, Name: b.label(0), Type: b.expr("type"), Default: b.expr("default"),
		Description: b.textArg("description"), Sensitive: b.flagArg("sensitive"), Nullable: b.flagArg("nullable"),
		Ephemeral: b.flagArg("ephemeral"), Const: b.flagArg("const"), Deprecated: b.textArg("deprecated"),
		Validations: b.rules("validation"),
	}
}

// Required reports whether a caller of the module must set the variable.
func (v *Variable) Required() bool {
	if v == nil {
		return false
	}
	return !v.Default.IsSet()
}

// DefaultValue returns the default as written, before it is converted to the
// variable's type. It is cty.NilVal if there is no default. The error is that
// of [Expression.Constant].
func (v *Variable) DefaultValue() (cty.Value, error) {
	if v == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	if !v.Default.IsSet() {
		return cty.NilVal, nil
	}
	return v.Default.Constant()
}

// TypeConstraint returns the variable's type, and the defaults of its optional attributes, or
// nil if there are none. The type is cty.DynamicPseudoType if any value is allowed. Where an
// override file replaces the type, the defaults are still those of Block, as in OpenTofu. The
// error is that of [Expression.TypeConstraint].
func (v *Variable) TypeConstraint() (cty.Type, *typeexpr.Defaults, error) {
	if v == nil {
		return cty.DynamicPseudoType, nil, nil
	}
	typ, defaults, err := v.Type.TypeConstraint()
	if err != nil || len(v.OverriddenBy) == 0 {
		return typ, defaults, err
	}
	_, defaults, err = v.Block.expr("type").TypeConstraint()
	return typ, defaults, err
}

// TypedDefault returns the default after conversion to the variable's type, as
// in plans. Attributes that the default leaves out have the defaults from the
// type in the block where the default is written. The result is cty.NilVal if
// there is no default. The error is an [*Error]; it wraps [ErrKind] if the default is
// not of the type, and [ErrLimit] if a number in it is out of range: see [Expression.Value].
func (v *Variable) TypedDefault() (cty.Value, error) {
	if v == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	value, err := v.DefaultValue()
	if err != nil || value == cty.NilVal {
		return value, err
	}
	typ, defaults, err := v.TypeConstraint()
	if err != nil {
		return cty.NilVal, err
	}
	from := v.Block
	for _, o := range v.OverriddenBy {
		if o.Argument("default") != nil {
			from = o
		}
	}
	if from != v.Block {
		_, defaults, _ = from.expr("type").TypeConstraint()
	}
	if defaults != nil && !value.IsNull() {
		value = hclbound.WithDefaults(defaults, value)
	}
	value, err = ctyconv.Convert(value, typ)
	if err != nil {
		return cty.NilVal, v.Default.file.faultf(int(v.Default.at.Start), ErrKind, "the default of var.%s is not of its type: %s", v.Name, err)
	}
	if hcllex.HasHugeNumber(value) {
		return cty.NilVal, v.Default.file.faultf(int(v.Default.at.Start), ErrLimit, "the default of var.%s has a number that is out of range", v.Name)
	}
	return value, nil
}

// A Local is one local value: an argument of a locals block.
type Local struct {
	Block    *Block    // the locals block that declares it first
	Argument *Argument // its value, which may be in an override file
	Name     string    // the name, as in local.NAME
	// OverriddenBy has the arguments of override files that replaced this one.
	// The last one is Argument.
	OverriddenBy []*Argument
}

// An Output is an output block: an output value of the module.
type Output struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Value is the value. It may be absent from a broken block, and from one in
	// an override file.
	Value Expression
	// Type is the type constraint. Terraform 1.15; not in OpenTofu.
	Type        Expression
	Description Text // for people; may be absent
	// Sensitive says whether the value is hidden in output, Ephemeral whether
	// it is kept out of states and plans (since OpenTofu 1.11). Both are false
	// if absent.
	Sensitive, Ephemeral Flag
	// Deprecated is a message for those that refer to the output (since
	// OpenTofu 1.10). If absent, it is not deprecated.
	Deprecated Text
	// DependsOn is a list of references to objects that must be complete before
	// the value is used.
	DependsOn Expression
	// Preconditions are the precondition blocks in order, which are checked
	// before the value is.
	Preconditions []*CheckRule
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newOutput(b *Block) *Output {
	return &Output{
		Block: b, Name: b.label(0), Value: b.expr("value"), Type: b.expr("type"),
		Description: b.textArg("description"), Sensitive: b.flagArg("sensitive"), Ephemeral: b.flagArg("ephemeral"),
		Deprecated: b.textArg("deprecated"), DependsOn: b.expr("depends_on"), Preconditions: b.rules("precondition"),
	}
}

// A Moved is a moved block: a resource or module that has a new address.
type Moved struct {
	Block *Block // the block as it is written
	// From and To are the old and the new address, relative to the module:
	// [Expression.Address] reads them.
	From, To Expression
}

// An Import is an import block: an existing object becomes the object of a
// resource.
type Import struct {
	Block *Block // the block as it is written
	// To is the address of the resource instance. Its keys may be expressions,
	// as in aws_instance.web[each.key]; [Expression.Address] reads it if they
	// are not.
	To Expression
	// ID and Identity identify the object, by a string or by an object (since
	// OpenTofu 1.12). One of them is set.
	ID, Identity Expression
	// ForEach makes one import for each element (since OpenTofu 1.7).
	ForEach Expression
	// Provider is the configuration to import with. If absent, it is the
	// resource's.
	Provider ProviderRef
}

func newImport(b *Block) *Import {
	return &Import{
		Block: b, To: b.expr("to"), ID: b.expr("id"), Identity: b.expr("identity"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")),
	}
}

// A Removed is a removed block: a resource or module that is no longer in the
// configuration.
type Removed struct {
	Block *Block // the block as it is written
	// From is the address, without instance keys, relative to the module:
	// [Expression.Address] reads it.
	From Expression
	// Destroy says whether the objects are destroyed, and not only forgotten:
	// the argument destroy of the nested lifecycle block. If absent, they are
	// forgotten by OpenTofu, and destroyed by Terraform.
	Destroy Flag
	// Provisioners are run before objects are destroyed (since OpenTofu 1.10).
	Provisioners []*Provisioner
}

func newRemoved(b *Block) *Removed {
	r := &Removed{Block: b, From: b.expr("from"), Destroy: b.Block("lifecycle").flagArg("destroy")}
	for p := range b.Body.BlocksOfType("provisioner") {
		r.Provisioners = append(r.Provisioners, newProvisioner(p))
	}
	return r
}

// A Check is a check block: assertions about the infrastructure. A failed assertion does not
// stop a run.
type Check struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Data is the data block inside, or nil if there is none. It has no Count,
	// ForEach or Lifecycle.
	Data *Resource
	// Asserts are the assert blocks. A valid check has at least one.
	Asserts []*CheckRule
}

func newCheck(b *Block) *Check {
	c := &Check{Block: b, Name: b.label(0), Asserts: b.rules("assert")}
	if d := b.Block("data"); d != nil {
		c.Data = newResource(d)
	}
	return c
}

// An Action is an action block of Terraform 1.14: an operation of a provider.
// OpenTofu has no such blocks.
type Action struct {
	// Block is the block; Type and Name are its labels, as in action.TYPE.NAME.
	Block      *Block
	Type, Name string
	// Count and ForEach are as in a [Resource].
	Count, ForEach Expression
	// Provider is the configuration that the action runs with. If absent, it is
	// the default one of the provider that the type names.
	Provider ProviderRef
	// Config is the block with the arguments of the provider's schema, or nil
	// if there is none.
	Config *Block
}

func newAction(b *Block) *Action {
	return &Action{
		Block: b, Type: b.label(0), Name: b.label(1), Count: b.expr("count"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")), Config: b.Block("config"),
	}
}

// A QueryList is a list block of one of Terraform's query files (since 1.14): a
// query for all objects of a resource type. OpenTofu has no such blocks.
type QueryList struct {
	// Block is the block; Type, a resource type, and Name are its labels.
	Block      *Block
	Type, Name string
	// Provider is the configuration to query. Terraform requires it.
	Provider ProviderRef
	// Count and ForEach are as in a [Resource].
	Count, ForEach Expression
	// IncludeResource says whether the result has the whole objects and not
	// only their identities, and Limit how many objects it may have.
	IncludeResource, Limit Expression
	// Config is the block with the arguments of the provider's schema, or nil
	// if there is none.
	Config *Block
}

func newQueryList(b *Block) *QueryList {
	return &QueryList{
		Block: b, Type: b.label(0), Name: b.label(1), Provider: newProviderRef(b.expr("provider")),
		Count: b.expr("count"), ForEach: b.expr("for_each"), IncludeResource: b.expr("include_resource"), Limit: b.expr("limit"),
		Config: b.Block("config"),
	}
}

// Address returns the address that an expression of kind [KindReference] or
// [KindSource] names, in the normal spelling: for example, from and to of a
// moved block, or the target of an override. Package addrs parses it. The error
// is an [*Error]; it wraps [ErrKind] if the expression is not an address, or if
// a key in it is not constant.
func (e Expression) Address() (string, error) {
	if e.file == nil {
		return "", &Error{Err: fmt.Errorf("%w: there is no expression", ErrKind)}
	}
	x, err := e.nativeForm()
	if err != nil {
		return "", err
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		if text, ok := e.wildcards(); ok {
			return text, nil
		}
		return "", e.file.faultf(int(e.at.Start), ErrKind, "a reference is required, such as aws_instance.example[0]")
	}
	return hcllex.AddressText(t), nil
}

// wildcards returns a reference with [*] for keys, which only the target of an
// override in a test may have, in the normal spelling.
func (e Expression) wildcards() (string, bool) {
	text := e.Raw()
	if !e.isNative() {
		if !e.isJSON('"') {
			return "", false
		}
		text = e.file.jsonText(e.at)
	}
	return hcllex.Wildcards(text)
}
