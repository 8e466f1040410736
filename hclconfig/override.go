// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// combine makes one Config of all files: the primary ones are one document,
// the override files change it one after the other, as
// opentofu: internal/configs/module.go does.
func (m *Module) combine() {
	for _, f := range m.Files {
		if !f.override {
			m.add(&f.read().body)
		}
	}
	m.checkDuplicates()
	if len(m.Files) == 0 || !m.Files[len(m.Files)-1].override {
		return // none, as they come last
	}
	o := overrider{m: m, byAddress: map[string]any{}}
	o.index()
	for _, f := range m.Files {
		if f.override {
			for i := range f.read().body.Blocks {
				o.block(&f.body.Blocks[i])
			}
		}
	}
	o.set.drop(m.Settings)
}

func (m *Module) report(f *File, s textspan.Span, summary, format string, args ...any) {
	m.diags = append(m.diags, f.errorAt(s, summary, format, args...))
}

// checkDuplicates reports names that the primary files declare twice.
func (m *Module) checkDuplicates() {
	seen := map[string]Declaration{}
	declare := func(d Declaration) bool {
		first, ok := seen[d.Address]
		if !ok {
			seen[d.Address] = d
			return true
		}
		at := d.Block.loadedAt()
		if d.Argument != nil {
			at = d.Argument.nameAt
		}
		m.report(d.Block.file, at, duplicateSummary(d), "%s was already declared at %s. It can be declared only once in a module.", d.Address, first.Range())
		return false
	}
	for d := range m.Declarations() {
		// The tools leave out a block locals with a label.
		if d.Block.Type != "check" && (d.Block.Type != "locals" || len(d.Block.Labels) == 0) {
			declare(d)
		}
	}
	for _, c := range m.Checks {
		// A data block in a check block has an address like any other. The tools leave out a check with one that is declared.
		if c.Data == nil || declare(Declaration{Address: c.Data.address(), Block: c.Data.Block}) {
			declare(Declaration{Address: "check." + c.Name, Block: c.Block})
		}
	}
	metas := map[string]*Block{}
	var required, backend, cloud, encryption *Block
	once := func(first **Block, b *Block, summary, what string) {
		if b == nil {
			return
		}
		if *first != nil {
			m.report(b.file, b.loadedAt(), summary, "A module may have only one %s. It was already set at %s.", what, (*first).DefRange())
			return
		}
		*first = b
	}
	for _, s := range m.Settings {
		for i := range s.Block.Body.Blocks {
			switch b := &s.Block.Body.Blocks[i]; b.Type {
			case "required_providers":
				once(&required, b, "Duplicate required providers configuration", "required_providers block")
			case "backend":
				once(&backend, b, "Duplicate backend configuration", "backend block")
			case "cloud":
				once(&cloud, b, "Duplicate cloud configurations", "cloud block")
			case "encryption":
				if m.dialect == hcllang.Terraform {
					continue // which does not have it at all
				}
				once(&encryption, b, "Duplicate encryption configuration", "encryption block")
			case "provider_meta":
				first := metas[b.label(0)]
				once(&first, b, "Duplicate provider_meta block", "provider_meta block for each provider")
				metas[b.label(0)] = first
			}
		}
	}
	if backend != nil && cloud != nil {
		summary := "Both a backend and a cloud configuration are present"
		if m.dialect == hcllang.Terraform {
			summary = "Both a backend and cloud configuration are present"
		}
		m.report(backend.file, backend.loadedAt(), summary,
			"A module may have either one backend block or one cloud block, but not both. A cloud block is at %s.", cloud.DefRange())
	}
}

// duplicateSummary names the duplicate in OpenTofu's words.
func duplicateSummary(d Declaration) string {
	switch d.Block.Type {
	case "variable":
		return "Duplicate variable declaration"
	case "output":
		return "Duplicate output definition"
	case "locals":
		return "Duplicate local value definition"
	case "module":
		return "Duplicate module call"
	case "provider":
		return "Duplicate provider configuration"
	case "check":
		return fmt.Sprintf("Duplicate check %q configuration", d.Block.label(0))
	case "action":
		return "Duplicate action configuration"
	}
	return fmt.Sprintf("Duplicate %s %q configuration", d.Block.Type, d.Block.label(0))
}

// An overrider applies the blocks of override files.
type overrider struct {
	m         *Module
	byAddress map[string]any // to the typed block
	// file is that of the last backend and cloud block, and n how many it has had.
	file [2]*File
	n    [2]int
	set  overriddenSettings
}

func (o *overrider) index() {
	m := o.m
	for _, v := range m.Variables {
		o.put("var."+v.Name, v)
	}
	for _, l := range m.Locals {
		o.put("local."+l.Name, l)
	}
	for _, v := range m.Outputs {
		o.put("output."+v.Name, v)
	}
	for _, c := range m.Calls {
		o.put("module."+c.Name, c)
	}
	for _, p := range m.Providers {
		o.put("provider."+p.Address(), p)
	}
	for _, list := range [][]*Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			o.put(r.address(), r)
		}
	}
}

// put keeps the first of several, which is the one that OpenTofu keeps.
func (o *overrider) put(address string, v any) {
	if _, ok := o.byAddress[address]; !ok {
		o.byAddress[address] = v
	}
}

func (o *overrider) report(b *Block, summary, format string, args ...any) {
	o.m.report(b.file, b.loadedAt(), summary, format, args...)
}

// done records the effect of by.
func (o *overrider) done(address string, base, by *Block, arguments []string) {
	o.m.Overridden = append(o.m.Overridden, Overridden{Address: address, Base: base, By: by, Arguments: arguments})
}

// missing reports that there is nothing to override.
func (o *overrider) missing(b *Block, what, address string) {
	if len(b.Labels) < len(b.spec.Labels) {
		return // it has no address
	}
	summary := "Missing " + what + " to override"
	switch b.spec {
	case hcllang.VariableBlock, hcllang.OutputBlock:
		summary = "Missing base " + what + " to override"
	case hcllang.ProviderBlock:
		summary = "Missing base " + what + " for override"
	}
	o.report(b, summary, "There is no %s declared in the module's primary files. An override file can only override what is already there.", address)
}

// overridden spells a type of block as the programs do in one message.
func overridden(typ string) string {
	if typ == "removed" {
		return "Removed"
	}
	return typ
}

func (o *overrider) block(b *Block) {
	switch b.spec {
	case hcllang.VariableBlock:
		o.variable(newVariable(b))
	case hcllang.OutputBlock:
		o.output(newOutput(b))
	case hcllang.LocalsBlock:
		o.locals(b)
	case hcllang.ModuleBlock:
		o.call(newModuleCall(b))
	case hcllang.ProviderBlock:
		o.provider(newProvider(b))
	case hcllang.ResourceBlock, hcllang.DataBlock, hcllang.EphemeralBlock:
		o.resource(newResource(b))
	case hcllang.TerraformBlock:
		o.settings(newSettings(b))
	case hcllang.Ignored: // no block of the language, which has been reported
	default:
		isTerraform := hcllang.ProgramOf(int(o.m.Dialect())) == hcllang.Terraform
		summary := fmt.Sprintf("Cannot override '%s' blocks", overridden(b.Type))
		switch {
		case len(b.Labels) != len(b.spec.Labels):
			return // which has been reported
		case b.spec == hcllang.RemovedBlock && isTerraform:
			return // Terraform reads it and does nothing with it
		case b.spec != hcllang.LanguageBlock && !b.spec.Since.In(hcllang.ProgramOf(int(o.m.Dialect())), hcllang.ReleaseOf(int(o.m.Dialect()))):
			return // a block that the release does not have
		case b.spec == hcllang.LanguageBlock && !isTerraform:
			summary = "Language selections in override file"
		case b.spec == hcllang.CheckBlock:
			summary = "Can't override check blocks"
		}
		o.report(b, summary, "Blocks of type %q can appear only in the primary files of a module, not in override files.", b.Type)
	}
}

// A setter copies the values that an override sets and remembers their names.
type setter struct {
	names []string
}

func (s *setter) expr(to *Expression, from Expression, name string) {
	if from.IsSet() {
		*to = from
		s.names = append(s.names, name)
	}
}

func (s *setter) text(to *Text, from Text, name string) {
	if from.IsSet() {
		*to = from
		s.names = append(s.names, name)
	}
}

// nonEmpty is text for arguments that OpenTofu takes as absent if the text is
// empty.
func (s *setter) nonEmpty(to *Text, from Text, name string) {
	if from.Value != "" {
		s.text(to, from, name)
	}
}

func (s *setter) flag(to *Flag, from Flag, name string) {
	if from.IsSet() {
		*to = from
		s.names = append(s.names, name)
	}
}

// own remembers the arguments and blocks of the merged body.
func (s *setter) own(base, b *Block) {
	own := b.Body.Own()
	types := map[string]bool{}
	if base != nil && b.file.syntax == JSONSyntax {
		for i := range base.Body.Blocks {
			types[base.Body.Blocks[i].blockType()] = true
		}
	}
	for i := range own.Arguments {
		if a := &own.Arguments[i]; !types[a.Name] || !a.representsNoBlock() {
			s.names = append(s.names, a.Name)
		}
	}
	for i := range own.Blocks {
		s.names = append(s.names, own.Blocks[i].blockType())
	}
}

func (o *overrider) variable(by *Variable) {
	for _, v := range by.Validations {
		o.report(v.Block, "Can't override validation blocks", "Validation blocks cannot be set in override files.")
	}
	address := "var." + by.Name
	base, ok := o.byAddress[address].(*Variable)
	if !ok {
		o.missing(by.Block, "variable declaration", address)
		return
	}
	var s setter
	s.text(&base.Description, by.Description, "description")
	s.expr(&base.Type, by.Type, "type")
	s.expr(&base.Default, by.Default, "default")
	s.flag(&base.Sensitive, by.Sensitive, "sensitive")
	s.flag(&base.Ephemeral, by.Ephemeral, "ephemeral")
	s.flag(&base.Nullable, by.Nullable, "nullable")
	s.flag(&base.Const, by.Const, "const")
	s.nonEmpty(&base.Deprecated, by.Deprecated, "deprecated")
	base.OverriddenBy = append(base.OverriddenBy, by.Block)
	o.done(address, base.Block, by.Block, s.names)
}

func (o *overrider) output(by *Output) {
	for _, r := range by.Preconditions {
		o.report(r.Block, "Can't override precondition blocks", "Preconditions cannot be set in override files.")
	}
	address := "output." + by.Name
	base, ok := o.byAddress[address].(*Output)
	if !ok {
		o.missing(by.Block, "output definition", address)
		return
	}
	o.noDependsOn(by.Block)
	var s setter
	s.nonEmpty(&base.Description, by.Description, "description")
	s.expr(&base.Value, by.Value, "value")
	s.flag(&base.Sensitive, by.Sensitive, "sensitive")
	s.flag(&base.Ephemeral, by.Ephemeral, "ephemeral")
	s.nonEmpty(&base.Deprecated, by.Deprecated, "deprecated")
	base.OverriddenBy = append(base.OverriddenBy, by.Block)
	o.done(address, base.Block, by.Block, s.names)
}

func (o *overrider) noDependsOn(b *Block) {
	elements, _ := b.expr("depends_on").Elements()
	for _, e := range elements {
		if len(e.References()) == 0 {
			continue // which is no reference, as is reported
		}
		at := e.at
		if b.file.syntax == NativeSyntax && e.Raw()[0] == '"' {
			at.Start++ // of the legacy form, behind the quote
		}
		o.m.report(b.file, at, "Unsupported override", "The depends_on argument may not be overridden.")
		return
	}
}

func (o *overrider) locals(b *Block) {
	for i := range b.Body.Arguments {
		a := &b.Body.Arguments[i]
		address := "local." + a.Name
		base, ok := o.byAddress[address].(*Local)
		if !ok {
			o.m.report(b.file, a.nameAt, "Missing base local value definition to override",
				"There is no %s declared in the module's primary files. An override file can only override what is already there.", address)
			continue
		}
		o.done(address, base.Block, b, []string{a.Name})
		base.Argument = a
		base.OverriddenBy = append(base.OverriddenBy, a)
	}
}

func (o *overrider) call(by *ModuleCall) {
	address := "module." + by.Name
	base, ok := o.byAddress[address].(*ModuleCall)
	if !ok {
		o.missing(by.Block, "module call", address)
		return
	}
	o.noDependsOn(by.Block)
	var s setter
	s.text(&base.Source, by.Source, "source")
	s.text(&base.Version, by.Version, "version")
	s.expr(&base.Count, by.Count, "count")
	s.expr(&base.ForEach, by.ForEach, "for_each")
	if members, _ := by.Providers.Members(); len(members) > 0 {
		s.expr(&base.Providers, by.Providers, "providers")
	}
	s.own(base.Block, by.Block)
	base.OverriddenBy = append(base.OverriddenBy, by.Block)
	o.done(address, base.Block, by.Block, s.names)
}

func (o *overrider) provider(by *Provider) {
	address := "provider." + by.Address()
	base, ok := o.byAddress[address].(*Provider)
	if !ok {
		if by.Alias.IsSet() {
			o.missing(by.Block, "provider configuration", address)
			return
		}
		// A default configuration may be new: it overrides the empty one.
		o.byAddress[address] = by
		o.m.Providers = append(o.m.Providers, by)
		var s setter
		s.own(nil, by.Block)
		o.done(address, nil, by.Block, s.names)
		return
	}
	var s setter
	s.text(&base.Version, by.Version, "version")
	s.own(base.Block, by.Block)
	base.OverriddenBy = append(base.OverriddenBy, by.Block)
	o.done(address, base.Block, by.Block, s.names)
}

// conditions reports the conditions of a resource.
func (o *overrider) conditions(by *Resource) {
	if by.Lifecycle == nil {
		return
	}
	for _, r := range slices.Concat(by.Lifecycle.Preconditions, by.Lifecycle.Postconditions) {
		o.report(r.Block, "Can't override "+r.Block.Type+" blocks", "Conditions cannot be set in override files.")
	}
}

func (o *overrider) resource(by *Resource) {
	address := by.address()
	base, ok := o.byAddress[address].(*Resource)
	if !ok {
		o.conditions(by)
		what := "resource"
		if by.Block.Type != "resource" {
			what = by.Block.Type + " resource"
		}
		o.missing(by.Block, what, address)
		return
	}
	o.noDependsOn(by.Block)
	var s setter
	s.expr(&base.Count, by.Count, "count")
	s.expr(&base.ForEach, by.ForEach, "for_each")
	if by.Provider.IsSet() {
		base.Provider = by.Provider
		s.names = append(s.names, "provider")
	}
	if by.Connection != nil {
		base.Connection = by.Connection
		s.names = append(s.names, "connection")
	}
	if len(by.Provisioners) > 0 {
		base.Provisioners = by.Provisioners
		s.names = append(s.names, "provisioner")
	}
	if l := by.Lifecycle; l != nil {
		o.conditions(by)
		merged := Lifecycle{Block: l.Block}
		if base.Lifecycle != nil {
			merged = *base.Lifecycle
		}
		s.flag(&merged.CreateBeforeDestroy, l.CreateBeforeDestroy, "create_before_destroy")
		s.expr(&merged.PreventDestroy, l.PreventDestroy, "prevent_destroy")
		s.flag(&merged.Destroy, l.Destroy, "destroy")
		if names, all := l.Ignored(); all || len(names) > 0 {
			s.expr(&merged.IgnoreChanges, l.IgnoreChanges, "ignore_changes")
		}
		// OpenTofu reads enabled and replace_triggered_by and then
		// forgets them.
		base.Lifecycle = &merged
	}
	s.own(base.Block, by.Block)
	base.OverriddenBy = append(base.OverriddenBy, by.Block)
	o.done(address, base.Block, by.Block, s.names)
}

// settings applies a terraform block. The typed blocks of the primary files
// lose the settings that the override replaces.
func (o *overrider) settings(by *Settings) {
	m := o.m
	names := func(name string) []string { return []string{name} }
	if o.set.required == nil {
		o.set.required, o.set.dropped = map[string][]requiredIn{}, map[*ProviderRequirement]bool{}
		for _, s := range m.Settings {
			o.set.add(s)
		}
	}
	for _, p := range by.RequiredProviders {
		// The whole entry: a new version loses the base's source.
		base := o.set.dropRequired(p.Name)
		o.done("required_providers."+p.Name, base, by.Block, names(p.Name))
	}
	for i, what := range []string{"backend", "cloud"} {
		for b := range by.Block.Body.BlocksOfType(what) {
			if b.file != o.file[i] {
				o.file[i], o.n[i] = b.file, 0
			}
			if o.n[i]++; o.n[i] == 2 {
				o.report(b, []string{"Duplicate backend configuration", "Duplicate cloud configurations"}[i], "An override file may have only one %s block.", what)
			}
		}
	}
	if by.Backend != nil || by.Cloud != nil {
		var base *Block
		for _, s := range o.set.stores {
			if s.Backend != nil {
				base = s.Backend.Block
			}
			if s.Cloud != nil {
				base = s.Cloud.Block
			}
			s.Backend, s.Cloud = nil, nil
		}
		o.set.stores = nil
		for i := range by.Block.Body.Blocks {
			if b := &by.Block.Body.Blocks[i]; b.Type == "backend" || b.Type == "cloud" {
				o.done(b.Type, base, b, nil)
			}
		}
	}
	if by.RequiredVersion.IsSet() && m.dialect == hcllang.Terraform {
		// OpenTofu looks at each constraint by itself.
		for _, s := range o.set.versions {
			o.done("required_version", s.Block, by.Block, names("required_version"))
			s.RequiredVersion = Text{}
		}
		o.set.versions = nil
	}
	if by.Encryption != nil {
		o.encryption(by)
	}
	m.Settings = append(m.Settings, by)
	o.set.add(by)
}

// overriddenSettings knows which terraform blocks have what an override replaces.
type overriddenSettings struct {
	required         map[string][]requiredIn
	dropped          map[*ProviderRequirement]bool
	stores, versions []*Settings // with a backend or cloud block, with required_version
	encryption       *Encryption // the last one
}

// A requiredIn is an entry of required_providers.
type requiredIn struct {
	s *Settings
	p *ProviderRequirement
}

func (o *overriddenSettings) add(s *Settings) {
	for _, p := range s.RequiredProviders {
		o.required[p.Name] = append(o.required[p.Name], requiredIn{s, p})
	}
	if s.Backend != nil || s.Cloud != nil {
		o.stores = append(o.stores, s)
	}
	if s.RequiredVersion.IsSet() {
		o.versions = append(o.versions, s)
	}
	if s.Encryption != nil {
		o.encryption = s.Encryption
	}
}

// dropRequired marks the first entry for a provider in each block, and returns the last block that has one.
func (o *overriddenSettings) dropRequired(name string) (base *Block) {
	var last *Settings
	var kept []requiredIn
	for _, r := range o.required[name] {
		if r.s == last {
			kept = append(kept, r)
			continue
		}
		last, base = r.s, r.s.Block
		o.dropped[r.p] = true
	}
	o.required[name] = kept
	return base
}

// drop removes the entries that were marked.
func (o *overriddenSettings) drop(settings []*Settings) {
	if len(o.dropped) == 0 {
		return
	}
	for _, s := range settings {
		isDropped := func(p *ProviderRequirement) bool { return o.dropped[p] }
		if slices.ContainsFunc(s.RequiredProviders, isDropped) {
			s.RequiredProviders = slices.DeleteFunc(slices.Clone(s.RequiredProviders), isDropped)
		}
	}
}

// encryption merges an encryption block into the one that is there.
func (o *overrider) encryption(by *Settings) {
	base, e := o.set.encryption, by.Encryption
	if base == nil {
		o.done("encryption", nil, e.Block, nil)
		return
	}
	base.KeyProviders = mergeMethods(base.KeyProviders, e.KeyProviders)
	base.Methods = mergeMethods(base.Methods, e.Methods)
	base.State = mergeTarget(base.State, e.State)
	base.Plan = mergeTarget(base.Plan, e.Plan)
	base.RemoteDefault = mergeTarget(base.RemoteDefault, e.RemoteDefault)
	for _, t := range e.Remote {
		found := false
		for i, old := range base.Remote {
			if old.Name == t.Name {
				base.Remote[i], found = mergeTarget(old, t), true
			}
		}
		if !found {
			base.Remote = append(base.Remote, t)
		}
	}
	o.done("encryption", base.Block, e.Block, nil)
	by.Encryption = nil // it lives on in the base
}

func mergeMethods(base, by []*EncryptionMethod) []*EncryptionMethod {
next:
	for _, m := range by {
		for i, old := range base {
			if old.Type == m.Type && old.Name == m.Name {
				base[i] = m
				continue next
			}
		}
		base = append(base, m)
	}
	return base
}

// mergeTarget returns base as changed by by. enforced is true if either says so.
func mergeTarget(base, by *EncryptionTarget) *EncryptionTarget {
	if base == nil || by == nil {
		if by != nil {
			return by
		}
		return base
	}
	merged := *base
	if by.Method.IsSet() {
		merged.Method = by.Method
	}
	if by.Enforced.Value || !base.Enforced.IsSet() {
		merged.Enforced = by.Enforced
		if base.Enforced.Value {
			merged.Enforced = base.Enforced
		}
	}
	merged.Fallback = mergeTarget(base.Fallback, by.Fallback)
	return &merged
}
