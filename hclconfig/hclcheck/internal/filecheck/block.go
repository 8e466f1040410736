// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// encryption reports key providers, methods and remote states of the same name in the
// encryption settings of a terraform block.
func (c *checker) encryption(b hclsource.Block) {
	if !c.has(hclsource.EncryptionNames) {
		return
	}
	for e := range b.Body.BlocksOfType("encryption") {
		seen := map[string]bool{}
		unique := func(in *hclsource.Plain, typ, called string) {
			for one := range in.Body.BlocksOfType(typ) {
				name := typ + "." + strings.Join(one.Labels, ".")
				if seen[name] {
					// OpenTofu 1.12.6, internal/encryption/config/config_parse.go: DecodeConfig.
					c.report(hclsource.DefRange(e), "Duplicate "+called, "There are several instances of %s.", name)
				}
				seen[name] = true
			}
		}
		// Methods name their key providers, and a state names its method: a name that is there twice would leave open
		// which is meant.
		unique(e, "key_provider", "key_provider")
		unique(e, "method", "method")
		for remote := range e.Body.BlocksOfType("remote_state_data_sources") {
			unique(remote, "remote_state_data_source", "remote_data_source")
		}
	}
}

// encryptionName reports whether a label is one that OpenTofu accepts in its encryption
// settings, where names may begin with a digit and those of remote states are not checked.
func encryptionName(b hclsource.Block, label string) bool {
	switch b.Type {
	case "remote_state_data_source":
		return true
	case "key_provider", "method":
		other := func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
		}
		// OpenTofu 1.12.6, internal/encryption/config/config_parse.go: DecodeConfig, whose names are matched by a pattern
		// of its own.
		return label != "" && !strings.ContainsFunc(label, other)
	}
	return false
}

// movable returns the kind of object that e is the address of, and reports an
// invalid address.
func (c *checker) movable(e hclconfig.Expression) hclsource.AddressKind {
	text, err := e.Address()
	if err != nil {
		return hclsource.NoAddress // reported as a reference
	}
	p, t := hclsource.Steps(e)
	if len(t) == 0 {
		return hclsource.NoAddress // of a splat, reported as a reference
	}
	a := hclsource.AddressForm{Terraform: c.dialect == hcllang.Terraform, Keys: true, Bare: !c.has(hclsource.EphemeralAddresses)}.Read(t)
	if a.Fault != "" {
		c.report(p.At(a.At.SourceRange()), a.Fault, "%s is not the address of a module or resource.", text)
	}
	// An ephemeral resource has no object in the state that could move.
	if a.Mode == addrs.Ephemeral && c.dialect == hcllang.OpenTofu {
		return hclsource.NoAddress // the programs report the block
	}
	return a.Kind
}

// block checks the rules of one type of block: those that OpenTofu applies
// while it loads a module, before anything is evaluated.
func (c *checker) block(b hclsource.Block) {
	if b.Type == "mock_provider" && b.Spec != nil {
		c.provider(b)
	}
	switch b.Spec {
	case hcllang.TerraformBlock:
		c.encryption(b)
		if hclsource.IsTofu(c.f) || !c.has(hclsource.RequiredVersionInTofu) {
			c.constraint(hclsource.TextArg(b.Plain, "required_version"), hclsource.LooseConstraints)
		}
		c.experiments(b)
	case hcllang.ProviderBlock:
		c.provider(b)
	case hcllang.OutputBlock:
		if a := b.Argument("deprecated"); a != nil {
			c.deprecated(b, a.Expression.Range(), "Invalid `deprecated` attribute")
		}
	case hcllang.VariableBlock, hcllang.TestVariableBlock:
		c.variable(b)
	case hcllang.ModuleBlock:
		c.call(b)
	case hcllang.ResourceBlock, hcllang.DataBlock, hcllang.EphemeralBlock:
		if b.Spec == hcllang.ResourceBlock {
			c.replaceTriggers(hclsource.Expr(b.Block("lifecycle"), "replace_triggered_by"))
		}
		c.ownRules(b)
		c.destroyConnection(b)
	// OpenTofu 1.12.6, internal/configs/moved.go: decodeMovedBlock. The two ends are the same kind of object.
	case hcllang.MovedBlock:
		from, to := c.movable(hclsource.Expr(b.Plain, "from")), c.movable(hclsource.Expr(b.Plain, "to"))
		if c.has(hclsource.MovedBlocks) && (from == hclsource.NoAddress || to == hclsource.NoAddress) {
			// OpenTofu 1.12.6, internal/configs/moved.go: decodeMovedBlock.
			c.report(hclsource.DefRange(b.Plain), `Invalid "moved" address`, "What from or to refers to cannot be moved.")
		}
		// OpenTofu 1.12.6, internal/configs/moved.go: decodeMovedBlock.
		if from != to && from != hclsource.NoAddress && to != hclsource.NoAddress {
			c.report(hclsource.DefRange(b.Plain), `Invalid "moved" addresses`, "The addresses from and to must either both be of a module or both be of a resource.")
		}
	case hcllang.RemovedBlock:
		c.removed(b)
	case hcllang.ImportBlock:
		c.importTarget(b)
	}
	for i := range b.Body.Blocks {
		r := b.Inner().Block(i)
		if c.f.IsOverride() && r.NotOverriding() || r.Spec.Since != (hcllang.Support{}) && !c.has(r.Spec.Since) {
			continue
		}
		switch r.Type {
		case "validation":
			c.validation(r, b)
			c.condition(r, b)
		case "precondition", "postcondition", "assert":
			c.condition(r, b)
		}
	}
	c.escaped(b)
	if b.Type == "provisioner" && b.Spec != hcllang.Open {
		c.provisioner(b)
	}
	if b.Type == "provider_meta" {
		c.out = append(c.out, providerMeta(b)...)
	}
	// A run in refresh-only mode does nothing but refresh.
	if b.Type == "plan_options" && hclsource.Expr(b.Plain, "mode").Keyword() == "refresh-only" {
		if a := b.Argument("refresh"); a != nil {
			if on, err := a.Bool(); err == nil && !on {
				// OpenTofu 1.12.6, internal/configs/test_file.go: decodeTestRunOptionsBlock.
				c.report(a.NameRange(), "Incompatible plan options", "The refresh option cannot be set to false when running a test in refresh-only mode.")
			}
		}
	}
}

// providerMeta checks a block provider_meta.
//
// OpenTofu 1.12.6, internal/tofu/node_resource_abstract_instance.go: NodeAbstractResourceInstance.providerMetas
// decodes the block by the schema of the provider, without a context: what is in it cannot refer to anything.
func providerMeta(b hclsource.Block) (out hclconfig.Diagnostics) {
	for i := range b.Body.Arguments {
		_, diags := b.Body.Arguments[i].Value(nil)
		out = append(out, finite(diags)...)
	}
	if len(b.Body.Blocks) > 0 && b.File().Syntax() == hclconfig.NativeSyntax {
		first := &b.Body.Blocks[0]
		// HCL, hclsyntax/structure.go: Body.JustAttributes.
		out = append(out, hclsource.ErrorAt(first.TypeRange(), fmt.Sprintf("Unexpected %q block", first.Type), "Blocks are not allowed here."))
	}
	return out
}

// concluded are the experiments that became a part of the language, or were given up.
var concluded = []string{"module_variable_optional_attrs", "variable_validation", "provider_sensitive_attrs", "suppress_provider_sensitive_attrs", "config_driven_move", "preconditions_postconditions"}

// experiments reports experiments, which no release permits. New releases do not ask which
// ones, and OpenTofu does not look any more.
func (c *checker) experiments(b hclsource.Block) {
	a := b.Argument("experiments")
	if a == nil || !c.has(hclsource.AnyExperiments) {
		return
	}
	if c.has(hclsource.NamedExperiments) {
		found := false
		elements, _ := a.Elements()
		for _, e := range elements {
			if word := e.Keyword(); slices.Contains(concluded, word) {
				found = true
				// OpenTofu 1.11.0, internal/configs/experiments.go: decodeExperimentsAttr.
				c.report(e.Range(), "Experiment has concluded", "The experiment %q is no longer available.", word)
			}
		}
		if found {
			return
		}
	}
	// OpenTofu 1.11.0, internal/configs/experiments.go: sniffActiveExperiments.
	c.report(a.NameRange(), "Module uses experimental features", "Experimental features are intended only for gathering early feedback on new language designs, and so are available only in alpha releases.")
}

// removedProvisioners are those that were part of the programs once.
var removedProvisioners = []string{"chef", "habitat", "puppet", "salt-masterless"}

// provisioner checks that a provisioner is one that there is, and that one that
// runs when its object is destroyed refers to nothing else.
func (c *checker) provisioner(b hclsource.Block) {
	if slices.Contains(removedProvisioners, hclsource.Label(b.Plain, 0)) {
		// OpenTofu 1.12.6, internal/configs/provisioner.go: decodeProvisionerBlock.
		c.report(b.LabelRange(0), fmt.Sprintf("The %q provisioner has been removed", hclsource.Label(b.Plain, 0)), "The %q provisioner was deprecated because of its dependency on an agent, and has been removed.", hclsource.Label(b.Plain, 0))
	}
	if hclsource.Expr(b.Plain, "when").Keyword() != "destroy" {
		return
	}
	// When an object is destroyed, what it refers to may be gone already: all that is left is in its own state.
	c.onlySelf(&b.Body)
	for n := range b.Body.BlocksOfType("connection") {
		c.onlySelf(&n.Body)
	}
}

// destroyConnection checks the connection of a resource that has provisioners which
// run when it is destroyed.
func (c *checker) destroyConnection(b hclsource.Block) {
	for p := range b.Body.BlocksOfType("provisioner") {
		if hclsource.Expr(p, "when").Keyword() == "destroy" {
			for n := range b.Body.BlocksOfType("connection") {
				c.onlySelf(&n.Body)
			}
			return
		}
	}
}

// onlySelf checks that the arguments of a body refer only to the object that is
// destroyed.
func (c *checker) onlySelf(body *hclconfig.Body) {
	for i := range body.Arguments {
		a := &body.Arguments[i]
		for _, r := range a.References() {
			switch root := r.Root(); {
			case root == "self", root == "path", root == "terraform", root == "tofu" && c.dialect == hcllang.OpenTofu:
				continue
			case r.Text == "count.index", r.Text == "each.key":
				continue
			}
			// OpenTofu 1.12.6, internal/configs/provisioner.go: onlySelfRefs.
			c.report(a.Expression.Range(), "Invalid reference from destroy provisioner", "Destroy-time provisioners and their connection configurations may only reference attributes of the related resource, via \"self\", \"count.index\", or \"each.key\".")
			break
		}
	}
}

// ownRules checks that the conditions of a resource do not refer to the resource
// by its address.
func (c *checker) ownRules(b hclsource.Block) {
	lifecycle := b.Block("lifecycle")
	if lifecycle == nil || len(b.Labels) < 2 {
		return
	}
	own := b.Labels[0] + "." + b.Labels[1]
	if b.Spec != hcllang.ResourceBlock {
		own = b.Type + "." + own
	}
	for i := range lifecycle.Body.Blocks {
		rule := &lifecycle.Body.Blocks[i]
		if rule.Type != "precondition" && rule.Type != "postcondition" {
			continue
		}
		// The word self is for that, since an address would be that of all instances.
		for _, name := range []string{"condition", "error_message"} {
			e := hclsource.Expr(rule, name)
			for _, r := range e.References() {
				if to, ok := r.Addr.Resource(); ok && to.String() == own {
					// OpenTofu 1.12.6, internal/configs/checks.go: CheckRule.validateSelfReferences.
					c.report(e.Range(), "Invalid reference in "+rule.Type, "Configuration for %s may not refer to itself.", own)
					break
				}
			}
		}
	}
}

// validation checks the references of a validation block in old releases.
func (c *checker) validation(r, variable hclsource.Block) {
	if len(variable.Labels) == 0 || c.has(hclsource.ValidationOfOthers) {
		return
	}
	for _, name := range [...]string{"condition", "error_message"} {
		e := hclsource.Expr(r.Plain, name)
		at, cut := c.cutAt(e)
		if cut {
			// OpenTofu 1.6.0, internal/configs/named_values.go: decodeVariableValidationBlock.
			c.report(at, "Invalid reference in variable validation", "A validation of variable %q can refer to var.%[1]s alone in this release.", variable.Labels[0])
		}
		for _, ref := range e.References() {
			if cut && ref.Range().Start.Offset > at.Start.Offset {
				continue
			}
			// OpenTofu 1.6.0, internal/configs/named_values.go: decodeVariableValidationBlock.
			if ref.Root() != "var" || ref.Addr.Name() != variable.Labels[0] {
				c.report(ref.Range(), "Invalid reference in variable validation", "A validation of variable %q can refer to var.%[1]s alone in this release.", variable.Labels[0])
			}
		}
	}
}

// condition checks that a condition depends on something.
func (c *checker) condition(r, in hclsource.Block) {
	e := hclsource.Expr(r.Plain, "condition")
	if !e.IsSet() || r.Spec.Lookup("condition").Arg == nil {
		return
	}
	refs := e.References()
	at, cut := c.cutAt(e)
	if cut {
		refs = slices.DeleteFunc(refs, func(r hclconfig.Reference) bool { return r.Range().Start.Offset > at.Start.Offset })
	}
	if len(refs) == 0 && !cut {
		if _, diags := e.HCL(); diags.HasErrors() {
			return // reported as a template
		}
		// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckRuleBlock.
		c.report(e.Range(), "Invalid "+r.Type+" expression",
			"The condition must refer to at least one object, or its result would not be checking anything.")
	}
	// A validation that does not refer to its own variable would say that the value of another one is wrong.
	if r.Type != "validation" || len(in.Labels) == 0 {
		return
	}
	for _, ref := range refs {
		if ref.Root() == "var" && ref.Addr.Name() == in.Labels[0] {
			return
		}
	}
	// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableValidationBlock.
	c.report(e.Range(), "Invalid variable validation condition", "The condition for variable %q must refer to var.%[1]s, to test its value.", in.Labels[0])
}

// escaped reports arguments that are set both in a block and in its escape block.
func (c *checker) escaped(b hclsource.Block) {
	for i := range b.Body.Blocks {
		escape := b.Inner().Block(i)
		if escape.Type != "_" || escape.Spec == hcllang.Open {
			continue
		}
		for j := range escape.Body.Arguments {
			a := &escape.Body.Arguments[j]
			// The escape block is for arguments of providers that have the name of one of the language, such as count.
			// OpenTofu 1.12.6, internal/configs/hcl2shim/merge_body.go: mergeBody.Content puts the two bodies together.
			if first := b.Argument(a.Name); first != nil && b.Spec.Lookup(a.Name).Arg == nil {
				// HCL, json/structure.go: body.Content.
				c.report(a.NameRange(), "Duplicate argument", "The argument %q was already set at %s.", a.Name, first.NameRange())
			}
		}
	}
}

// twice reports a property of a JSON body that occurs twice and is not a type
// of block: only those may be repeated.
func (c *checker) twice(body hclsource.Body) {
	var seen map[string]*hclconfig.Argument
	for i := range body.Arguments {
		a := &body.Arguments[i]
		if !a.Undecided || hclsource.Native(a.Expression) != nil {
			continue
		}
		first := seen[a.Name]
		if first == nil {
			if seen == nil {
				seen = map[string]*hclconfig.Argument{}
			}
			seen[a.Name] = a
			continue
		}
		// Without a schema the programs do not know which it is: several properties are several blocks, if their values
		// are objects.
		if !mayBeBlocks(first) || !mayBeBlocks(a) {
			// HCL, json/structure.go: body.Content.
			c.report(a.NameRange(), "Duplicate argument", "The argument %q was already set at %s.", a.Name, first.NameRange())
		}
	}
}

// mayBeBlocks reports whether a schema could make blocks of the property.
func mayBeBlocks(a *hclconfig.Argument) bool {
	_, diags := a.AsBlocks(0)
	return !diags.HasErrors()
}

// provider checks a provider block. Its alias is an identifier, and for_each needs one, because the
// default configuration is a single one. A version is an old way to say what required_providers
// says; both programs still read it, and warn. In test files Terraform refuses it.
func (c *checker) provider(b hclsource.Block) {
	if alias := hclsource.TextArg(b.Plain, "alias"); alias.IsSet() && !hcllex.PlainName(alias.Value) {
		// The programs say it of what they could not read as well.
		summary := "Invalid provider configuration alias"
		if b.Type == "mock_provider" && c.dialect == hcllang.OpenTofu {
			summary = "Invalid mock provider configuration alias"
		}
		// OpenTofu 1.12.6, internal/configs/provider.go: decodeProviderBlock.
		c.report(alias.Argument.Expression.Range(), summary, "%q is not a valid name: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", alias.Value)
	}
	// OpenTofu 1.12.6, internal/configs/provider.go: decodeProviderBlock.
	if each := b.Argument("for_each"); each != nil && b.Argument("alias") == nil && c.has(b.Spec.Lookup("for_each").Arg.Since) {
		c.report(each.Expression.Range(), `Alias required when using "for_each"`, "The argument for_each is allowed only for provider configurations with an alias.")
	}
	if v := hclsource.TextArg(b.Plain, "version"); v.IsSet() && b.Spec == hcllang.ProviderBlock {
		if c.has(hclsource.VersionsInTests) && hclsource.IsTest(c.f) {
			// As recorded of Terraform 1.11.4 to 1.13.5: testdata/releases.txt, testdata/meaning.
			c.report(v.Argument.Expression.Range(), "Version constraints are not allowed in test files", "The place for a provider's version constraint is the required_providers block of the module.")
			return
		}
		c.constraint(v, addrs.ParseConfigConstraints)
		// OpenTofu 1.12.6, internal/configs/provider.go: decodeProviderBlock.
		c.warn(v.Argument.Expression.Range(), "Version constraints inside provider configuration blocks are deprecated",
			"The place for a provider's version constraint is the required_providers block.")
	}
}

// localName checks the local name of a provider.
func (c *checker) localName(at addrs.Range, name string) bool {
	if p, err := addrs.ImpliedProvider(name); err == nil && p.Type() == name {
		return true
	}
	// OpenTofu 1.12.6, internal/configs/provider.go: checkProviderNameNormalized.
	c.report(at, "Invalid provider local name", "%q is not a valid local name of a provider: it has lower-case letters, digits and dashes only, and neither begins nor ends with a dash.", name)
	return false
}

// variable checks the default of a variable against its type, as the programs do while they read the
// file: a default with a fault makes the module invalid even where every call gives a value.
func (c *checker) variable(b hclsource.Block) {
	c.deprecated(b, b.LabelRange(0), "Invalid `deprecated` value")
	d := b.Argument("default")
	if d == nil {
		return
	}
	variable := hclconfig.Variable{Block: b.Plain, Name: hclsource.Label(b.Plain, 0), Type: hclsource.Expr(b.Plain, "type"), Default: d.Expression, Nullable: hclsource.FlagArg(b.Plain, "nullable")}
	if c.has(hclsource.IgnoredAttributes) {
		c.out = append(c.out, IgnoredAttributes(&variable, d.Expression)...)
	}
	v, err := d.Constant()
	if err != nil {
		c.partialDefault(&variable) // the rest is reported with the literals
		return
	}
	// A null for a variable that is not nullable means its default, which could not be null itself.
	if n := variable.Nullable; v.IsNull() && n.IsSet() && !n.Value {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableBlock.
		c.report(d.Expression.Range(), "Invalid default value for variable", "A null default value is not valid when nullable is false.")
		return
	}
	if _, err := variable.TypedDefault(); err != nil {
		if _, _, err := variable.TypeConstraint(); err != nil {
			return // reported as a type
		}
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableBlock.
		c.reportError(d.Expression.Range(), "Invalid default value for variable", err)
	}
}

// partialDefault checks the type of a default that cannot be evaluated, as far as there
// is one.
func (c *checker) partialDefault(variable *hclconfig.Variable) {
	t, _, err := variable.TypeConstraint()
	if err != nil {
		return
	}
	v, diags := variable.Default.Value(nil)
	if _, err := ctyconv.Convert(v, t); err != nil && diags.HasErrors() {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableBlock.
		c.reportError(variable.Default.Range(), "Invalid default value for variable", err)
	}
}

// deprecated checks that a message of deprecation says something.
func (c *checker) deprecated(b hclsource.Block, at addrs.Range, summary string) {
	a := b.Argument("deprecated")
	if a == nil || !c.has(hclsource.DeprecatedValues) {
		return
	}
	// The text is all that callers learn of what they should use instead.
	if text, err := a.Text(); err == nil && strings.TrimSpace(text) == "" {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableBlock and decodeOutputBlock.
		c.report(at, summary, "The argument deprecated must not be empty.")
	}
}

// call checks the source and the version of a module call, where they are
// constants.
func (c *checker) call(b hclsource.Block) {
	call := hclconfig.ModuleCall{Block: b.Plain, Name: hclsource.Label(b.Plain, 0), Source: hclsource.TextArg(b.Plain, "source"), Version: hclsource.TextArg(b.Plain, "version")}
	if !call.Source.IsSet() {
		return
	}
	source := call.Source.Argument
	if v, err := source.Constant(); err != nil {
		return // computed, or reported as a template
	} else if _, err := hcleval.TextOf(v); err != nil {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(source.Expression.Range(), "Unsuitable value type", "The source of a module must be a string.")
		return
	}
	if call.Version.IsSet() {
		switch v, err := call.Version.Argument.Constant(); {
		// A version that is no constant is reported when the file is read, or evaluated since Terraform 1.15: see
		// [hclsource.ConstantSources].
		case err != nil && c.dialect == hcllang.Terraform:
		case err != nil, v.IsNull() && c.dialect == hcllang.OpenTofu && c.has(hclsource.NullVersion):
			call.Version = hclconfig.Text{} // computed; null is like absence
		case v.IsNull():
			// To Terraform it is there, as far as the source is concerned.
		case !v.Type().IsPrimitiveType():
			// OpenTofu 1.12.6, internal/configs/version_constraint.go: decodeVersionConstraintValue.
			c.report(call.Version.Argument.Expression.Range(), "Invalid version constraint", "The version of a module must be a string.")
		default:
			c.constraint(call.Version, hclsource.LooseConstraints)
		}
	}
	if _, err := call.SourceAddr(); err != nil {
		// OpenTofu 1.12.6, internal/configs/module_call.go: decodeModuleBlock.
		summary := "Invalid module source address"
		if call.Version.IsSet() {
			summary = "Invalid registry module source address"
		}
		c.reportError(source.Expression.Range(), summary, err)
	}
}

// replaceTriggers checks the elements of replace_triggered_by: each refers to
// one resource, and in an index perhaps to the instance that is at hand.
func (c *checker) replaceTriggers(e hclconfig.Expression) {
	elements, _ := e.Elements()
	for _, x := range elements {
		if _, ok := hclsource.NativeForm(x); !ok {
			continue // reported as a source
		}
		fail := func(summary, format string, args ...any) { c.report(x.Range(), summary, format, args...) }
		resources, broken := 0, false
		for _, p := range hclsource.Pieces(x) {
			for _, t := range p.Expr.Variables() {
				if broken {
					break
				}
				s, d := hclsource.SubjectOf(p, t, hclsource.ProgramOfReference(t, c.dialect, c.release))
				switch {
				case d != nil:
					fail(d.Summary, "%s", d.Detail)
					broken = true
				// Each element is about one resource or one of its instances. The index may be that of the instance at
				// hand, so that instances that belong together are replaced together.
				case s.Kind == hclsource.ToResource:
					resources++
				case s.Kind == hclsource.ToEach && s.Name != "key":
					// OpenTofu 1.12.6, internal/configs/resource.go: decodeReplaceTriggeredBy.
					fail("Invalid each reference in replace_triggered_by expression", "Only each.key may be used in replace_triggered_by.")
				case s.Kind == hclsource.ToCount && s.Name != "index":
					fail("Invalid count reference in replace_triggered_by expression", "Only count.index may be used in replace_triggered_by.")
				case s.Kind == hclsource.ToEach, s.Kind == hclsource.ToCount:
				default:
					// OpenTofu 1.12.6, internal/configs/resource.go: decodeReplaceTriggeredBy.
					fail("Invalid reference in replace_triggered_by expression", "Only resources, count.index, and each.key may be used in replace_triggered_by.")
				}
			}
		}
		switch {
		case broken:
		case resources == 0:
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeReplaceTriggeredBy.
			fail("Invalid replace_triggered_by expression", "Missing resource reference in replace_triggered_by expression.")
		case resources > 1:
			fail("Invalid replace_triggered_by expression", "Multiple resource references in replace_triggered_by expression.")
		}
	}
}

// removed checks what a removed block is about: modules and managed resources have objects to
// remove, data sources and ephemeral resources have none. The word for each differs between the
// programs, and so does what else the block may have; see [hclsource.RemovedProvisioners].
func (c *checker) removed(b hclsource.Block) {
	from := hclsource.Expr(b.Plain, "from")
	kind := hclsource.NoAddress
	tofu := c.dialect == hcllang.OpenTofu
	if c.has(hclsource.RemovedLifecycle) {
		defer c.removedLifecycle(b, len(c.out))
	}
	if text, err := from.Address(); err == nil {
		p, t := hclsource.Steps(from)
		a := hclsource.AddressForm{Terraform: !tofu, Bare: !tofu || !c.has(hclsource.EphemeralTargets)}.Read(t)
		switch kind = a.Kind; {
		case a.Fault != "":
			c.report(p.At(a.At.SourceRange()), a.Fault, "%s is not the address of a module or resource without instance keys.", text)
		case a.Mode == addrs.Data:
			// OpenTofu 1.12.6, internal/addrs/remove_endpoint.go: ParseRemoveEndpoint.
			c.report(from.Range(), c.saying("Data source address is not allowed", "Data source address not allowed"), "Data sources have no objects that could be removed.")
		case a.Mode == addrs.Ephemeral:
			c.report(from.Range(), "Ephemeral resource address is not allowed", "Ephemeral resources have no objects that could be removed.")
		}
	}
	for p := range b.Body.BlocksOfType("provisioner") {
		switch {
		case !c.has(hclsource.RemovedProvisioners):
		case hclsource.Expr(p, "when").Keyword() != "destroy":
			// OpenTofu 1.12.6, internal/configs/removed.go: decodeRemovedBlock.
			c.report(hclsource.DefRange(p), c.saying(`Invalid "removed.provisioner" block`, "Invalid provisioner block"), "In a removed block only provisioners with when = destroy are allowed.")
		// A module has several resources, and a provisioner is that of one.
		case kind == hclsource.ModuleAddress && tofu:
			c.report(hclsource.DefRange(b.Plain), `Invalid "removed" block`, "Only the removed block of a resource may have provisioners.")
		case kind != hclsource.ResourceAddress && !tofu:
			// As recorded of Terraform 1.11.4: testdata/releases.txt, testdata/meaning.
			c.report(hclsource.DefRange(p), "Invalid provisioner block", "Only the removed block of a resource may have provisioners.")
		}
	}
}

// removedLifecycle warns of removed blocks that do not say whether to destroy,
// if the block had no other fault but those of the syntax.
func (c *checker) removedLifecycle(b hclsource.Block, before int) {
	fault := func(d hclconfig.Diagnostic) bool {
		return !errors.Is(d.Err, hclconfig.ErrSyntax) && hclsource.Contains(b.Plain.Range(), d.Subject)
	}
	_, err := hclsource.Expr(b.Plain, "from").Address()
	if err != nil || len(c.out) > before || slices.ContainsFunc(c.f.Diagnostics(), fault) {
		return
	}
	warn := func(summary, detail string) { c.warn(hclsource.DefRange(b.Plain), summary, detail) }
	var destroy *hclconfig.Argument
	if l := b.Block("lifecycle"); l != nil {
		destroy = l.Argument("destroy")
	}
	if destroy == nil {
		// OpenTofu 1.12.6, internal/configs/removed.go: decodeRemovedBlock.
		warn("Missing lifecycle from the removed block", "It is recommended for each 'removed' block configured to have also the 'lifecycle' block defined. By not specifying if the resource should be destroyed or not, could lead to unwanted behavior.")
		return
	}
	if on, err := destroy.Bool(); err == nil && !on && b.Block("provisioner") != nil {
		// OpenTofu 1.12.6, internal/configs/removed.go: decodeRemovedBlock.
		warn("Removed block provisioners will not be executed", "The 'removed' block has marked the resource to be forgotten and not destroyed. Therefore, the provisioners configured for it will not be executed.")
	}
}

// repetitions reports arguments that would repeat an object in more than one way.
func (c *checker) repetitions(body hclsource.Body, b hclsource.Block) {
	if body.Spec.Lookup("count").Arg == nil || body.Spec.Lookup("for_each").Arg == nil {
		return
	}
	var at []addrs.Range
	var names []string
	put := func(name string, a *hclconfig.Argument) {
		if a != nil {
			at, names = append(at, a.NameRange()), append(names, fmt.Sprintf("%q", name))
		}
	}
	// The order is that of the words in the summary.
	put("count", b.Argument("count"))
	if l := b.Block("lifecycle"); l != nil && c.has(hclsource.EnabledArgument) {
		put("enabled", l.Argument("enabled"))
	}
	put("for_each", b.Argument("for_each"))
	if len(names) < 2 {
		return
	}
	text, where := strings.Join(names, " and "), at[len(at)-1]
	if len(names) == 3 {
		text = names[0] + ", " + names[1] + ", and " + names[2]
	}
	// OpenTofu places it at the first of the arguments since it looks for three of them, at the last one before that.
	if c.has(hclsource.EnabledArgument) {
		where = slices.MinFunc(at, func(a, b addrs.Range) int { return int(a.Start.Offset - b.Start.Offset) })
	}
	// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock and decodeDataBlock; internal/configs/module_call.go: decodeModuleBlock.
	c.report(where, "Invalid combination of "+text, "The arguments are mutually exclusive.")
}

// isInfinite reports whether a number is beyond what the programs can write down.
func isInfinite(text string) bool {
	v, err := cty.ParseNumberVal(text[:min(len(text), 1000)])
	return err == nil && hclsource.HasInfinity(v)
}

// numbers looks for infinite number literals in a native expression.
func (c *checker) numbers(x hclsyntax.Expression) {
	// To look at each literal of a file takes longer than to find that there is no digit before an e.
	if !c.exponents {
		return // without an exponent no number is infinite
	}
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		if l, ok := n.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.Number && hclsource.HasInfinity(l.Val) {
			c.report(hclsource.Piece{File: c.f}.At(l.Range()), "Number out of range", "This number is too large to write out.")
		}
		if e, ok := n.(*hclsyntax.ExprSyntaxError); ok {
			if isInfinite(hcllex.HugeNumber(e)) {
				c.report(hclsource.Piece{File: c.f}.At(e.Range()), "Number out of range", "This number is too large to write out.")
			}
		}
		return nil
	})
}

// hasExponent reports whether an e follows a digit.
func hasExponent(src []byte) bool {
	for i := 1; i < len(src); i++ {
		if src[i]|0x20 == 'e' && '0' <= src[i-1] && src[i-1] <= '9' {
			return true
		}
	}
	return false
}

// overrideTarget checks that the target of an override is the address of what the
// block is for. That it is a reference is checked already. instances says whether it can
// be that of instances, where OpenTofu did not allow keys at first.
func (c *checker) overrideTarget(a *hclconfig.Argument, block string, instances bool) {
	p := hclsource.PieceOf(a.Expression)
	if p.Expr == nil {
		return
	}
	t := hclsource.Pattern(p.Expr)
	if len(t) == 0 || !instances && slices.ContainsFunc(t, hclsource.IsSplat) {
		return
	}
	p.FromQuote = p.Str != nil
	// OpenTofu 1.12.6, internal/configs/test_file.go: decodeOverrideResourceBlock and decodeOverrideModuleBlock.
	fail := func(step hcl.Traverser, summary string) {
		c.report(p.At(step.SourceRange()), summary, "The target of an %s block must be the address of a %s.", block, strings.TrimPrefix(block, "override_"))
	}
	terraform := c.dialect == hcllang.Terraform
	form := hclsource.AddressForm{Terraform: terraform, Keys: terraform || instances, Bare: !c.has(hclsource.EphemeralTargets)}
	// OpenTofu reads the address of a module first, and says what follows it.
	if i := hclsource.AfterModules(t); !terraform && block == "override_module" && i < len(t) && form.Read(t[:i]).Fault == "" {
		// OpenTofu 1.12.6, internal/addrs/module.go: ParseModule.
		fail(t[i], "Module address expected")
		return
	}
	target := form.Read(t)
	switch {
	case target.Fault != "":
		fail(target.At, target.Fault)
	case terraform:
		of := "module"
		if target.Kind == hclsource.ResourceAddress {
			of = map[addrs.Mode]string{addrs.Managed: "resource", addrs.Data: "data", addrs.Ephemeral: "ephemeral"}[target.Mode]
		}
		if "override_"+of != block {
			// As recorded of Terraform 1.11.4 to 1.13.5: testdata/releases.txt, testdata/meaning.
			c.report(a.NameRange(), "Invalid override target", "An %s block cannot have the address of a %s as its target.", block, of)
		}
	case target.Kind == hclsource.ModuleAddress && block != "override_module":
		if instances {
			// OpenTofu 1.12.6, internal/addrs/parse_target.go: parseResourceInstanceUnderModule.
			fail(t[0], "Invalid address")
		} else {
			// OpenTofu 1.12.6, internal/addrs/resource.go: ParseConfigResource.
			fail(t[0], "Module address is not allowed")
		}
	}
}
