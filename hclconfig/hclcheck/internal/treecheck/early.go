// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// A staticChecker checks expressions that are evaluated while the configuration
// is loaded: from variables, local values, path and terraform only.
type staticChecker struct {
	*hclsource.Declared
	// isType reports whether a reference is the name of a type, which no object has.
	isType func(hcl.Traversal) bool
	// early evaluates an expression, and reports whether all of it is known while the configuration is loaded.
	early func(hclconfig.Expression) (hclnames.Evaluation, bool)
	// caller is that of the calling module, and call the call. Both are nil for
	// the root.
	caller *staticChecker
	call   *hclconfig.ModuleCall
	// root reports that no module calls this one: its variables have their defaults
	// or the values of the command line.
	root bool
	// first reports that the program is OpenTofu 1.8, the first that evaluates early.
	first bool
	// applies reports that the program knows terraform.applying.
	applies bool
	// done has the local values and arguments that have been looked at, or are.
	done map[string]bool
	// open are those that are being looked at, and failed those without a value.
	open, failed map[string]bool
	// out is that of the whole tree: an argument of a call is checked where it is used, in the module that is called.
	out *hclconfig.Diagnostics
}

// staticChecker returns that of a module.
func (c *treeChecker) staticChecker(t *hclnames.Tree) *staticChecker {
	if s := c.checkers[t]; s != nil {
		return s
	}
	s := &staticChecker{
		Declared: hclsource.DeclaredIn(t.Module),

		early:  func(e hclconfig.Expression) (hclnames.Evaluation, bool) { return c.early(t, e) },
		isType: c.isType, call: t.Call, root: t == c.root && len(t.VariableFiles) == 0, first: c.has(hclsource.FirstEarlyEvaluation), applies: c.has(hclsource.Applying), out: &c.out,
		open: map[string]bool{}, failed: map[string]bool{}, done: map[string]bool{},
	}
	if t != c.root {
		s.caller = c.staticChecker(t.Parent)
	}
	c.checkers[t] = s
	return s
}

// static checks the static expressions of a module. A module that is called twice is
// checked for each call, since the arguments differ.
func (c *treeChecker) static(t *hclnames.Tree) {
	m, s, before := t.Module, c.staticChecker(t), len(c.out)
	for _, call := range m.Calls {
		for i, text := range []hclconfig.Text{call.Source, call.Version} {
			if !text.IsSet() {
				continue
			}
			e := text.Argument.Expression
			switch {
			// OpenTofu 1.12.6, internal/configs/module_call.go: ModuleCall.decodeStaticSource and
			// ModuleCall.decodeStaticVersion.
			case c.has(hclsource.EarlyEvaluation):
				at := e.Range()
				if text.Argument.Name == "version" {
					at = text.Argument.NameRange()
				}
				s.expression(e, at)
			// As recorded of Terraform 1.15.9: static_test.go of package hclcheck.
			case c.has(hclsource.ConstantSources):
				s.constant(e, []string{"source", "version"}[i])
			case hclsource.Release(m.Dialect()) == 0: // or else reading the file has reported it
				s.literal(e, i == 1)
			}
		}
	}
	if c.has(hclsource.ConstantSources) {
		for _, v := range m.Variables {
			for _, also := range []struct {
				word string
				set  bool
			}{{"sensitive", v.Sensitive.Value}, {"ephemeral", v.Ephemeral.Value}} {
				// The source of a module is written to a file of the working directory, where no secret should be. As
				// recorded of Terraform 1.15.9: testdata/releases.txt.
				if v.Const.Value && also.set {
					*s.out = append(*s.out, hclsource.ErrorAt(v.Block.DefRange(), "Const variable cannot be "+also.word, "A variable that is marked as \"const\" cannot also be marked as %q.", also.word))
				}
			}
		}
	}
	if s.root && c.dialect == hcllang.OpenTofu && c.has(hcllang.VariableBlock.Lookup("const").Arg.Since) {
		for _, v := range m.Variables {
			// OpenTofu 1.12.6, internal/configs/module.go: NewModule asks for all constant variables of a module.
			if v.Const.Value && !v.Default.IsSet() {
				s.asked(v)
				*s.out = append(*s.out, hclsource.ErrorAt(addrs.Range{Filename: v.Block.File().Filename()}, "Unable to compute static value", "The configuration depends on var.%s, which is not available.", v.Name))
			}
		}
	}
	if c.has(hcllang.ProviderBlock.Lookup("for_each").Arg.Since) {
		for _, p := range m.Providers {
			s.forEach(p.ForEach)
		}
	}
	c.unique(before)
}

// asked reports a variable whose value the program asks for while it loads the configuration, of which there is none.
func (s *staticChecker) asked(v *hclconfig.Variable) {
	// OpenTofu 1.12.6, internal/command/meta_config.go: Meta.rootModuleCall.
	summary := "Failed to request input from user for variable var." + v.Name
	if s.first {
		// As recorded of OpenTofu 1.8.11: testdata/releases.txt, testdata/meaning.
		summary = "Variable not provided via -var, tfvars files, or env"
	}
	*s.out = append(*s.out, hclsource.ErrorAt(hclsource.DefRange(v.Block), summary, "The variable has no default, and its value is needed while the configuration is loaded."))
}

// literal reports references where a program accepts no references: in the source or
// the version of a module.
func (s *staticChecker) literal(e hclconfig.Expression, version bool) {
	if hclsource.Native(e) == nil {
		return // a string means itself
	}
	refs := e.References()
	for _, r := range refs {
		// HCL, traversal.go: Traversal.TraverseAbs.
		*s.out = append(*s.out, hclsource.ErrorAt(r.Range(), "Variables not allowed", "Variables may not be used here."))
	}
	if len(refs) > 0 && !version {
		at := e.Range()
		at.Start = e.File().Position(int64(hclsource.Native(e).StartRange().Start.Byte))
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		*s.out = append(*s.out, hclsource.ErrorAt(at, "Unsuitable value type", "Unsuitable value: value must be known"))
	}
}

// constant checks the references in the source or version of a module in
// Terraform since 1.15. They may be to constant variables, local values made of
// them, and paths.
func (s *staticChecker) constant(e hclconfig.Expression, argument string) {
	fail := func(r *hclsource.Subject, summary, format string, args ...any) {
		*s.out = append(*s.out, r.Piece.ErrorAt(r.At, summary, format, args...))
	}
	for r, d := range s.subjects(e) {
		if d != nil {
			*s.out = append(*s.out, *d)
			return
		}
		// As recorded of Terraform 1.15.9: static_test.go of package hclcheck.
		if r.Kind != hclsource.ToVariable && r.Kind != hclsource.ToLocal && r.Kind != hclsource.ToPath {
			fail(&r, "Invalid module "+argument, "The module %s can only reference constant input variables and local values.", argument)
			return
		}
	}
	known := true
	var visit func(e hclconfig.Expression) bool
	visit = func(e hclconfig.Expression) bool {
		for r, d := range s.subjects(e) {
			if d != nil {
				known = false // its faults are reported elsewhere
				continue
			}
			v, l := s.Variables[r.Name], s.Locals[r.Name]
			switch {
			case r.Kind == hclsource.ToPath:
			case r.Kind == hclsource.ToVariable && v == nil:
				// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetInputVariable.
				fail(&r, "Reference to undeclared input variable", "An input variable with the name %q has not been declared. This variable can be declared with a variable %q {} block.", r.Name, r.Name)
				return false
			case r.Kind == hclsource.ToVariable:
				known = known && v.Const.Value
			case r.Kind == hclsource.ToLocal && l == nil:
				// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetLocalValue.
				fail(&r, "Reference to undeclared local value", "A local value with the name %q has not been declared.", r.Name)
				return false
			case r.Kind == hclsource.ToLocal && s.done[r.Name]:
			case r.Kind == hclsource.ToLocal:
				s.done[r.Name] = true
				if !visit(l.Argument.Expression) {
					return false
				}
			default: // in a local value
				known = false
			}
		}
		return true
	}
	clear(s.done)
	// The value of a variable that is not constant may differ from one plan to the next, and init installs modules once.
	// As recorded of Terraform 1.15.9: static_test.go of package hclcheck.
	if visit(e) && !known {
		*s.out = append(*s.out, hclsource.ErrorAt(e.Range(), "Unknown module "+argument, "Only literal values and const variables can be evaluated during init."))
	}
}

// subjects returns an iterator over the references in an expression, as Terraform reads
// them: what each is to, or its fault.
func (s *staticChecker) subjects(e hclconfig.Expression) iter.Seq2[hclsource.Subject, *hclconfig.Diagnostic] {
	return func(yield func(hclsource.Subject, *hclconfig.Diagnostic) bool) {
		for _, p := range hclsource.Pieces(e) {
			for _, t := range p.Expr.Variables() {
				if !s.isType(t) && !yield(hclsource.SubjectOf(p, t, hcllang.Terraform)) {
					return
				}
			}
		}
	}
}

// forEach checks the for_each of a provider.
func (s *staticChecker) forEach(e hclconfig.Expression) {
	before := len(*s.out)
	s.references(e, e.Range())
	if !e.IsSet() || len(*s.out) > before {
		return
	}
	v, ok := s.early(e)
	*s.out = append(*s.out, v.Diagnostics...)
	// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performTypeAndValueChecks.
	switch summary := "Invalid for_each argument"; {
	case !ok:
	case v.Value.IsKnown():
		*s.out = append(*s.out, forEachFaults(e, v.Value, summary, true)...)
	// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performTypeAndValueChecks.
	case v.Diagnostics.HasErrors() || isFaulty(v):
		*s.out = append(*s.out, hclsource.ErrorAt(e.Range(), summary, "The keys of the configurations of a provider must be known while the configuration is loaded."))
	}
}

// expression checks a static expression: its references and, if these are right,
// its value.
func (s *staticChecker) expression(e hclconfig.Expression, owner addrs.Range) {
	before := len(*s.out)
	s.references(e, owner)
	if e.IsSet() && len(*s.out) == before {
		v, _ := s.early(e)
		*s.out = append(*s.out, v.Diagnostics...)
	}
}

// references checks the references of a static expression. A needed value that
// cannot be computed is reported once more at owner, as the programs do.
func (s *staticChecker) references(e hclconfig.Expression, owner addrs.Range) {
	if strings.Contains(e.Raw(), "provider::") {
		for _, call := range hclsource.Calls(e) {
			if strings.HasPrefix(call.Name, "provider::") {
				// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.StaticValidateReferences.
				*s.out = append(*s.out, hclsource.ErrorAt(call.At, "Provider function in static context", "The function %s is not known while the configuration is loaded.", call.Name))
			}
		}
	}
	for _, p := range hclsource.Pieces(e) {
		for _, t := range p.Expr.Variables() {
			rules := hcllang.OpenTofu
			if s.first && t.RootName() == "tofu" {
				rules = hcllang.Terraform // to which it is a type
			}
			ref, d := hclsource.SubjectOf(p, t, rules)
			if d != nil {
				*s.out = append(*s.out, *d)
				continue
			}
			if !s.reference(&ref) {
				// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.enhanceDiagnostics.
				*s.out = append(*s.out, hclsource.ErrorAt(owner, "Unable to compute static value", "It depends on %s, which is not available.", ref.Address()))
			}
		}
	}
}

// reference checks one reference. It reports false if the object exists and has no
// value.
func (s *staticChecker) reference(r *hclsource.Subject) bool {
	fail := func(summary, format string, args ...any) {
		*s.out = append(*s.out, r.Piece.ErrorAt(r.At, summary, format, args...))
	}
	switch r.Kind {
	// A local value is looked at once: what is wrong in it has a place of its own.
	case hclsource.ToLocal:
		l, ok := s.Locals[r.Name]
		switch {
		case !ok:
			// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.GetLocalValue.
			fail("Undefined local", "Undefined local local.%s", r.Name)
		case s.open[r.Name]:
			// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.scope.
			*s.out = append(*s.out, hclsource.ErrorAt(l.Argument.NameRange(), "Circular reference", "local.%s refers to itself.", r.Name))
		case s.done[r.Name]:
			return !s.failed[r.Name]
		default:
			s.done[r.Name], s.open[r.Name] = true, true
			before := len(*s.out)
			s.expression(l.Argument.Expression, l.Argument.NameRange())
			delete(s.open, r.Name)
			s.failed[r.Name] = len(*s.out) > before
			return !s.failed[r.Name]
		}
	case hclsource.ToVariable:
		v, ok := s.Variables[r.Name]
		switch {
		case !ok:
			// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.GetInputVariable.
			fail("Undefined variable", "Undefined variable var.%s", r.Name)
		case v.Const.IsSet() && !v.Const.Value:
			fail("Unable to use variable in static context", "The variable %q cannot be used in a static context, because it is declared as \"const = false\".", v.Name)
		// The value is what the call gives, which is evaluated in the calling module.
		case s.caller != nil:
			s.secret(v, r)
			return s.argument(v)
		case s.root && !v.Default.IsSet():
			s.asked(v)
			return false
		default:
			s.secret(v, r)
		}
	case hclsource.ToPath:
		if names := []string{"cwd", "module", "root"}; !slices.Contains(names, r.Name) {
			// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.GetPathAttr.
			fail(`Invalid "path" attribute`, "The object \"path\" has no attribute %q.%s", r.Name, hclsource.DidYouMean(r.Name, names))
		}
	case hclsource.ToProgram:
		switch {
		case r.Name == "workspace":
		case r.Name == "applying" && s.applies:
			// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.GetTerraformAttr.
			fail("Invalid attribute in static context", "The attribute applying is known only while a plan is made or applied.")
		default:
			fail(`Invalid "terraform" attribute`, "The object %q has no attribute %q that is known while the configuration is loaded.", r.Type, r.Name)
		}
	case hclsource.ToOutput:
		// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.StaticValidateReferences.
		fail("Module output not supported in static context", "Unable to use %s in static context.", r.Address()+"."+r.Output)
	default:
		fail("Dynamic value in static context", "Unable to use it in static context: only variables, local values, path and terraform are known while the configuration is loaded.")
	}
	return true
}

const sensitiveInStatic = "Sensitive value used in static context"

// secret warns of a sensitive variable, which is no error yet in OpenTofu 1.8.
func (s *staticChecker) secret(v *hclconfig.Variable, r *hclsource.Subject) {
	if s.first && v.Sensitive.Value {
		d := r.Piece.ErrorAt(r.At, sensitiveInStatic, "The variable %q is sensitive, and OpenTofu 1.9 refuses it here.", v.Name)
		d.Severity = hclconfig.SeverityWarning
		*s.out = append(*s.out, d)
	}
}

// argument checks what a call gives to a variable. It reports false if that has no
// value.
func (s *staticChecker) argument(v *hclconfig.Variable) bool {
	name := "var." + v.Name
	if s.done[name] {
		return !s.failed[name]
	}
	s.done[name] = true
	before := len(*s.out)
	switch a := s.call.Block.Argument(v.Name); {
	case a != nil:
		s.caller.expression(a.Expression, a.NameRange())
	case !v.Default.IsSet():
		d := hclsource.Missing(&s.call.Block.Body, v.Name)
		// OpenTofu 1.12.6, internal/configs/module_call.go: ModuleCall.decodeStaticVariables.
		d.Summary = "Missing required variable in module call"
		*s.out = append(*s.out, d)
	}
	s.failed[name] = len(*s.out) > before
	return !s.failed[name]
}

// early returns the value of an expression that OpenTofu evaluates while it reads the
// configuration, and the faults found on the way. It reports false if something in it is not
// known then.
func (c *treeChecker) early(t *hclnames.Tree, e hclconfig.Expression) (hclnames.Evaluation, bool) {
	v := c.values.Evaluate(t, e)
	if !v.Early {
		v.Diagnostics = nil
	}
	return v, v.Early
}

// isFaulty reports whether a value is unknown because of a variable whose default is wrong.
func isFaulty(v hclnames.Evaluation) bool {
	return slices.ContainsFunc(v.Unknown, func(u hclnames.Unknown) bool { return u.Reason == hclnames.BadDefault })
}

// computed checks the sources and versions of calls that are not constants, as far
// as they can be evaluated.
func (c *treeChecker) computed(t *hclnames.Tree) {
	before := len(c.out)
	defer func() { c.unique(before) }()
	if c.dialect != hcllang.OpenTofu {
		return
	}
	for _, call := range t.Module.Calls {
		if !call.Source.IsSet() {
			continue
		}
		// Reading one file has checked what is constant in it. An override file may have given another version or source.
		if isComputed(call.Source) || call.Version.IsSet() && isComputed(call.Version) || len(call.OverriddenBy) > 0 {
			c.computedSource(t, call, c.computedVersion(t, call))
		}
	}
}

// withoutMarks removes the marks that a release does not have yet from the value of a source:
// OpenTofu 1.8 only warns of sensitive variables, and none are ephemeral before 1.11.
func (c *treeChecker) withoutMarks(v cty.Value, e hclconfig.Expression) cty.Value {
	warned := func(d hclconfig.Diagnostic) bool {
		at := e.Range()
		return d.Summary == sensitiveInStatic && d.Subject.Filename == at.Filename && d.Subject.Start.Offset >= at.Start.Offset && d.Subject.End.Offset <= at.End.Offset
	}
	// A warning has been given already where one is due.
	if v.HasMark(langfuncs.Ephemeral) && !c.has(hcllang.EphemeralBlock.Since) || c.has(hclsource.FirstEarlyEvaluation) && slices.ContainsFunc(c.out, warned) {
		v, _ = v.UnmarkDeep()
	}
	return v
}

// isComputed reports whether the value of an argument is known only when it is evaluated.
func isComputed(text hclconfig.Text) bool {
	_, err := text.Argument.Constant()
	return err != nil
}

// computedVersion checks the version of a call, and reports whether it has one. One with a fault counts.
//
// OpenTofu 1.12.6, internal/configs/module_call.go and version_constraint.go: decodeStaticVersion,
// decodeVersionConstraintValue.
func (c *treeChecker) computedVersion(t *hclnames.Tree, call *hclconfig.ModuleCall) bool {
	if !call.Version.IsSet() {
		return false
	}
	e := call.Version.Argument.Expression
	v, ok := c.early(t, e)
	if !ok || v.Diagnostics.HasErrors() { // that it refers to what is not known yet is reported elsewhere
		return true
	}
	fault := func(format string, args ...any) {
		c.out = append(c.out, hclsource.ErrorAt(e.Range(), "Invalid version constraint", format, args...))
	}
	switch text, err := hcleval.TextOf(v.Value); {
	case v.Value.IsNull():
		return !c.has(hclsource.NullVersion)
	case v.Value.IsMarked():
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		fault("The version of a module must not be sensitive.")
	case !v.Value.IsKnown():
	case err != nil:
		fault("The version of a module must be a string.")
	default:
		if _, err := hclsource.LooseConstraints(text); err != nil {
			fault("%s.", hclsource.UpperFirst(err.Error()))
		}
	}
	return true
}

// computedSource checks the source of a call: only a module in a registry has a version.
//
// OpenTofu 1.12.6, internal/configs/module_call.go: decodeStaticSource.
func (c *treeChecker) computedSource(t *hclnames.Tree, call *hclconfig.ModuleCall, versioned bool) {
	e := call.Source.Argument.Expression
	fault := func(at addrs.Range, summary, text string) {
		c.out = append(c.out, hclsource.ErrorAt(at, summary, "%s.", hclsource.UpperFirst(text)))
	}
	text := call.Source.Value
	if isComputed(call.Source) {
		of, ok := c.early(t, e)
		if !ok || of.Diagnostics.HasErrors() || !c.has(hclsource.EarlyEvaluation) {
			return
		}
		v := c.withoutMarks(of.Value, e)
		switch d := unusableSource(e.Range(), v); {
		case d != nil:
			c.out = append(c.out, d...)
			return
		case isFaulty(of):
			// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
			fault(hclsource.StartRange(e), "Unsuitable value type", "unsuitable value: value must be known")
			return
		case !v.IsKnown():
			return
		}
		var err error
		if text, err = hcleval.TextOf(v); err != nil {
			fault(e.Range(), "Unsuitable value type", err.Error())
			return
		}
	}
	if versioned {
		if _, err := addrs.ParseModuleRegistrySource(text); err != nil {
			fault(e.Range(), "Invalid registry module source address", "a module with a version must come from a registry")
		}
	} else if _, err := addrs.ParseModuleSource(text); err != nil {
		fault(e.Range(), "Invalid module source address", err.Error())
	}
}

// unusableSource reports that a source is sensitive or ephemeral.
func unusableSource(at addrs.Range, v cty.Value) hclconfig.Diagnostics {
	// OpenTofu 1.12.6, internal/configs/module_call.go: ModuleCall.decodeStaticSource. The source is printed and written
	// to files.
	kind := ""
	switch {
	case v.HasMark(langfuncs.Sensitive):
		kind = "Sensitive"
	case v.HasMark(langfuncs.Ephemeral):
		kind = "Ephemeral"
	default:
		return nil
	}
	d := hclsource.ErrorAt(at, kind+" value not allowed", "%s values, or values derived from them, cannot be used as the source of a module.", kind)
	return hclconfig.Diagnostics{d}
}
