// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// What releases of the programs support by meaning, not by the name of a block, an argument or
// a function. Package hclnames lists the features, and package hclcheck reports where a release
// lacks them; both read this table.
var (
	// TofuObject is the object tofu: OpenTofu internal/addrs/parse_ref.go.
	TofuObject = hcllang.Support{OpenTofu: "1.9"}
	// Applying is its attribute applying, and that of the object terraform.
	Applying = hcllang.Support{OpenTofu: "1.11", Terraform: "1.10"}
	// TerraformData is the resource type terraform_data.
	TerraformData = hcllang.Support{OpenTofu: "0", Terraform: "1.4"}
	// TerraformDataStore is its block store: CHANGELOG.md of v1.16.0-rc2, line 8.
	TerraformDataStore = hcllang.Support{Terraform: "1.16"}
	// LazyLogic is a second side of && and || that is not evaluated if the first one decides:
	// CHANGELOG.md of OpenTofu v1.10.10, line 173, and of Terraform v1.12.2, line 33.
	LazyLogic = hcllang.Support{OpenTofu: "1.10", Terraform: "1.12"}
	// ImportInside is an import in a module that another one calls: CHANGELOG.md of Terraform
	// v1.16.0-rc2, line 12.
	ImportInside = hcllang.Support{Terraform: "1.16"}
	// PreventDestroy is an expression with references for prevent_destroy.
	PreventDestroy = hcllang.Support{OpenTofu: "1.12"}
	// ResourceWord is the word resource before a type in the addresses of moved and import blocks:
	// CHANGELOG.md of Terraform v1.9.8, line 107.
	ResourceWord = hcllang.Support{Terraform: "1.9"}
	// MessageTemplate is an expression with references for the message of a validation.
	MessageTemplate = hcllang.Support{OpenTofu: "0", Terraform: "1.2"}
	// OptionalExperiment is optional in a type, before it was a part of the language. Any other experiment is for
	// alpha releases only. Newer releases of OpenTofu do not look at experiments.
	OptionalExperiment = hcllang.Support{OpenTofu: "1.12", Terraform: "0", TerraformUntil: "1.3"}
	AnyExperiment      = hcllang.Support{OpenTofu: "1.12"}
	// Defaults is the function of that experiment.
	Defaults = hcllang.Support{Terraform: "0", TerraformUntil: "1.3"}
	// OptionalAttributes is optional in a type. It was an experiment before.
	OptionalAttributes = hcllang.Support{OpenTofu: "0", Terraform: "1.3"}
	// ImportID is an expression with references for the id of an import.
	ImportID = hcllang.Support{OpenTofu: "0", Terraform: "1.6"}
	// ImportKey is an expression with references for a key in the target of an import, and
	// ImportEach one that has each only.
	ImportKey  = hcllang.Support{OpenTofu: "1.7"}
	ImportEach = hcllang.Support{OpenTofu: "1.7", Terraform: "1.7"}
	// ProviderFunctions are functions of providers, and BuiltInFunctions those of the provider
	// that is a part of the programs.
	ProviderFunctions = hcllang.Support{OpenTofu: "1.7", Terraform: "1.8"}
	BuiltInFunctions  = hcllang.Support{OpenTofu: "1.10", Terraform: "1.8"}
	// RemoteTestModule is a module of a run that is neither local nor in a registry.
	RemoteTestModule = hcllang.Support{OpenTofu: "1.10"}
	// NullVersion is a null for the version of a module that is not in a registry.
	NullVersion = hcllang.Support{OpenTofu: "1.10", Terraform: "1.15.5"}
	// MockFunction is a call of a function in a mock or an override of a test.
	MockFunction = hcllang.Support{Terraform: "1.15"}
	// TestFunction is a call of a function in the variables of a test: CHANGELOG.md of OpenTofu v1.11.0, line 55, and of
	// Terraform v1.7.
	TestFunction = hcllang.Support{OpenTofu: "1.11", Terraform: "1.7"}
	// AnyMessage is a message of a validation that is no sentence.
	AnyMessage = hcllang.Support{OpenTofu: "0", Terraform: "1.2"}
	// MovedType is a move to another type of resource, and MovedToData one to terraform_data.
	MovedType   = hcllang.Support{OpenTofu: "1.10", Terraform: "1.8"}
	MovedToData = hcllang.Support{OpenTofu: "1.10", Terraform: "1.9"}
	// ValidationOfOthers is a validation block that refers to more than its variable.
	ValidationOfOthers = hcllang.Support{OpenTofu: "1.9", Terraform: "1.9"}
)

// OtherBuiltIn has the providers other than terraform that were a part of a program once: Terraform v1.5.7
// internal/command/meta_providers.go.
var OtherBuiltIn = map[string]hcllang.Support{"test": {Terraform: "0", TerraformUntil: "1.6"}}

// OptionalWord is the experiment with optional in a type.
const OptionalWord = "module_variable_optional_attrs"

// Locals says of the local names of providers in a module whether they mean the built-in one.
// A name that it lacks does if it is "terraform".
type Locals map[string]bool

// IsBuiltIn reports whether a local name means the provider that is a part of the programs.
func (l Locals) IsBuiltIn(name string) bool {
	if is, ok := l[name]; ok {
		return is
	}
	return name == "terraform"
}

// Add adds the local names that a file requires.
func (l Locals) Add(f *hclconfig.File) {
	for t := range f.Body().BlocksOfType("terraform") {
		for r := range t.Body.BlocksOfType("required_providers") {
			for i := range r.Body.Arguments {
				a := &r.Body.Arguments[i]
				if p, _, ok := requiredSource(a); ok {
					l[a.Name] = p.IsBuiltIn()
				}
			}
		}
	}
}

// requiredSource returns the source of a required provider, the zero Provider if it is not valid.
func requiredSource(a *hclconfig.Argument) (p addrs.Provider, at addrs.Range, ok bool) {
	members, _ := a.Members()
	for _, m := range members {
		if m.Name != "source" {
			continue
		}
		if v, err := m.Value.Constant(); err == nil && v.Type() == cty.String && !v.IsNull() {
			p, _ = addrs.ParseProvider(v.AsString())
			at, ok = m.Value.Range(), true
		}
	}
	return p, at, ok
}

// provisionerArguments has the arguments of provisioners and their connections that not every
// release has: internal/terraform/node_resource_validate.go and internal/builtin/provisioners.
var provisionerArguments = map[string]hcllang.Support{
	"proxy_scheme":        {OpenTofu: "0", Terraform: "1.2"},
	"proxy_host":          {OpenTofu: "0", Terraform: "1.2"},
	"proxy_port":          {OpenTofu: "0", Terraform: "1.2"},
	"proxy_user_name":     {OpenTofu: "0", Terraform: "1.2"},
	"proxy_user_password": {OpenTofu: "0", Terraform: "1.2"},
	"quiet":               {OpenTofu: "0", Terraform: "1.4"},
}

// ProvisionerArgument returns which releases have an argument of provisioners and their
// connections.
func ProvisionerArgument(name string) hcllang.Support {
	if s, ok := provisionerArguments[name]; ok {
		return s
	}
	return hcllang.Everywhere
}

// A Meaning is a use of something that not every release has.
type Meaning struct {
	Name    string
	Support hcllang.Support
	At      addrs.Range
}

// OfBlock returns what a block itself means. in is the type of the block around it.
func OfBlock(b *hclconfig.Block, in string, locals Locals) []Meaning {
	switch {
	case in == "" && b.Type == "resource" && IsTerraformData(b, locals):
		out := []Meaning{{"resource type terraform_data", TerraformData, b.LabelRange(0)}}
		if store := b.Block("store"); store != nil {
			out = append(out, Meaning{"store block in terraform_data", TerraformDataStore, store.TypeRange()})
		} else if store := b.Argument("store"); store != nil { // in JSON syntax
			out = append(out, Meaning{"store block in terraform_data", TerraformDataStore, store.NameRange()})
		}
		return out
	case in == "" && b.Type == "moved":
		if s, differ := MovedTypes(b); differ {
			return []Meaning{{"move to another resource type", s, b.TypeRange()}}
		}
	case in == "terraform" && b.Type == "backend":
		return backends.ofSettings(b, "backend "+Label(b, 0))
	case in == "terraform" && b.Type == "cloud":
		return ofCloud(b)
	case in == "encryption" && b.Type == "key_provider":
		return keyProviders.ofSettings(b, b.Type)
	case in == "encryption" && b.Type == "method":
		return methods.ofSettings(b, b.Type)
	case in == "" && b.Type == "module":
		source, err := addrs.ParseModuleSource(TextArg(b, "source").Value)
		if a := b.Argument("version"); a != nil && err == nil && source.Kind() != addrs.RegistrySource {
			if v, err := a.Constant(); err == nil && v.IsNull() {
				return []Meaning{{"null for the version of a module", NullVersion, a.Expression.Range()}}
			}
		}
	}
	return nil
}

// ProviderKeys is the support of the instance key in a reference to a provider configuration.
func ProviderKeys(p hclconfig.ProviderRef) hcllang.Support {
	if p.Expression.File().Syntax() == hclconfig.JSONSyntax && !strings.HasPrefix(p.Key, `"`) {
		return hcllang.Support{OpenTofu: "1.11"}
	}
	return hcllang.Support{OpenTofu: "1.9"}
}

// IsTerraformData reports whether a resource block has the type terraform_data of the
// built-in provider.
func IsTerraformData(b *hclconfig.Block, locals Locals) bool {
	if Label(b, 0) != "terraform_data" {
		return false
	}
	a := b.Argument("provider")
	if a == nil {
		return locals.IsBuiltIn("terraform")
	}
	return locals.IsBuiltIn(ProviderRef(a.Expression).Name)
}

// MovedTypes reports whether a moved block is about resources of two types, and which
// releases take that.
func MovedTypes(b *hclconfig.Block) (hcllang.Support, bool) {
	var types [2]string
	for i, name := range []string{"from", "to"} {
		text, err := Expr(b, name).Address()
		if err != nil {
			return hcllang.Support{}, false
		}
		a, err := addrs.ParseAbsResourceInstance(text)
		if err != nil {
			return hcllang.Support{}, false
		}
		types[i] = a.Resource().Type()
	}
	if types[1] == "terraform_data" {
		return MovedToData, types[0] != types[1]
	}
	return MovedType, types[0] != types[1]
}

// OfArgument returns what an argument of a block of type in means.
func OfArgument(a *hclconfig.Argument, in string, locals Locals) []Meaning {
	var out []Meaning
	e := a.Expression
	add := func(name string, s hcllang.Support, at addrs.Range) { out = append(out, Meaning{name, s, at}) }
	switch {
	case a.Kind() == hclconfig.KindType:
		if at, ok := Optional(e); ok {
			add("argument "+a.Name+" of "+in+" with optional attributes", OptionalAttributes, at)
		}
	case in == "lifecycle" && a.Name == "prevent_destroy" && Native(e) != nil && Needs(e):
		add("argument prevent_destroy of lifecycle with references", PreventDestroy, e.Range())
	case in == "lifecycle" && a.Name == "prevent_destroy" && isNull(a):
		add("null for the argument prevent_destroy of lifecycle", PreventDestroy, e.Range())
	case in == "validation" && a.Name == "error_message" && Needs(e):
		add("argument error_message of validation with references", MessageTemplate, e.Range())
	case in == "validation" && a.Name == "error_message":
		if text, err := a.Text(); err == nil && !IsSentence(text) {
			add("argument error_message of validation that is no sentence", AnyMessage, e.Range())
		}
	case in == "required_providers":
		if p, at, ok := requiredSource(a); ok && p.IsBuiltIn() && p.Type() != "terraform" {
			add("provider "+p.String(), OtherBuiltIn[p.Type()], at)
		}
	case in == "terraform" && a.Name == "experiments":
		elements, _ := a.Elements()
		for _, x := range elements {
			if word := x.Keyword(); word == OptionalWord {
				add("experiment "+word, OptionalExperiment, x.Range())
			} else {
				add("experiment "+word, AnyExperiment, x.Range())
			}
		}
	case (in == "provisioner" || in == "connection") && ProvisionerArgument(a.Name) != hcllang.Everywhere:
		add("argument "+a.Name+" of "+in, ProvisionerArgument(a.Name), a.NameRange())
	case in == "import" && a.Name == "id" && Needs(e):
		add("argument id of import with references", ImportID, e.Range())
	case in == "module" && a.Name == "source" && IsTest(a.Expression.File()):
		if text, err := a.Text(); err == nil {
			if m, err := addrs.ParseModuleSource(text); err == nil && m.Kind() == addrs.RemoteSource {
				add("remote source of a module in run", RemoteTestModule, e.Range())
			}
		}
	case a.Name == "defaults" && strings.HasPrefix(in, "mock_"), strings.HasPrefix(in, "override_") && (a.Name == "values" || a.Name == "outputs"):
		if calls := Calls(e); len(calls) > 0 {
			add("function in a mock of a test", MockFunction, calls[0].At)
		}
	case in == "variables" && IsTest(e.File()):
		if calls := Calls(e); len(calls) > 0 {
			add("function in the variables of a test", TestFunction, calls[0].At)
		}
	case in == "import" && a.Name == "to":
		if s, ok := ImportKeys(e); ok {
			add("argument to of import with references in a key", s, e.Range())
		}
	}
	if in == "moved" || in == "import" && a.Name == "to" {
		if hasResourceWord(e) {
			add("address with the word resource", ResourceWord, e.Range())
		}
	}
	if Evaluated(hcllang.Kind(a.Kind())) || in == "lifecycle" && a.Name == "prevent_destroy" {
		out = append(out, ofReferences(e)...)
	}
	return append(out, ofProviderFunctions(e, locals)...)
}

// ofReferences returns what references mean that need a release.
func ofReferences(e hclconfig.Expression) (out []Meaning) {
	for _, r := range e.References() {
		root, rest, _ := strings.Cut(r.Text, ".")
		if root == "tofu" {
			out = append(out, Meaning{"reference to " + r.Text, TofuObject, r.Range()})
		}
		if (root == "tofu" || root == "terraform") && (rest == "applying" || strings.HasPrefix(rest, "applying.")) {
			out = append(out, Meaning{"reference to " + r.Text, Applying, r.Range()})
		}
	}
	return out
}

// ofProviderFunctions returns the calls of functions of providers.
func ofProviderFunctions(e hclconfig.Expression, locals Locals) (out []Meaning) {
	if !strings.Contains(e.Raw(), "provider::") {
		return nil
	}
	for _, call := range Calls(e) {
		name, isOfProvider := strings.CutPrefix(call.Name, "provider::")
		name, _, _ = strings.Cut(name, "::")
		if isOfProvider && locals.IsBuiltIn(name) {
			out = append(out, Meaning{"provider function " + call.Name, BuiltInFunctions, call.At})
		} else if isOfProvider {
			out = append(out, Meaning{"provider function " + call.Name, ProviderFunctions, call.At})
		}
	}
	return out
}

func isNull(a *hclconfig.Argument) bool {
	v, err := a.Constant()
	return err == nil && v.IsNull()
}

// hasResourceWord reports whether an address has the word resource before the type.
func hasResourceWord(e hclconfig.Expression) bool {
	x, ok := NativeForm(e)
	if !ok {
		return false
	}
	text, _ := AddressShape(x)
	_, ok = WithoutWord(text, hcllang.Terraform)
	return ok
}

// IsSentence reports whether a message has the form that old releases ask for: it begins with
// no small letter and ends as a sentence.
func IsSentence(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && (!unicode.IsLetter(first) || unicode.IsUpper(first)) && strings.ContainsRune(".?!", rune(text[len(text)-1]))
}

// ImportKeys reports whether the target of an import has keys that are not written as
// constants, and which releases take them.
func ImportKeys(e hclconfig.Expression) (hcllang.Support, bool) {
	x, ok := NativeForm(e)
	if !ok {
		return hcllang.Support{}, false
	}
	found, others := false, false
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		i, ok := n.(*hclsyntax.IndexExpr)
		if !ok {
			return nil
		}
		found = true // the index is a traversal where it is constant
		each := slices.ContainsFunc(i.Key.Variables(), func(t hcl.Traversal) bool { return t.RootName() == "each" })
		others = others || !each || hasCall(i.Key) || slices.ContainsFunc(i.Key.Variables(), func(t hcl.Traversal) bool { return t.RootName() != "each" })
		return nil
	})
	if others {
		return ImportKey, found
	}
	return ImportEach, found
}

func hasCall(x hclsyntax.Expression) bool {
	found := false
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		_, ok := n.(*hclsyntax.FunctionCallExpr)
		found = found || ok
		return nil
	})
	return found
}

// NeedsEarly is like [Needs] for an argument that is evaluated early: what encryption
// settings name of each other needs nothing.
func NeedsEarly(e hclconfig.Expression) bool {
	return len(Calls(e)) > 0 || slices.ContainsFunc(e.References(), func(r hclconfig.Reference) bool {
		root, _, _ := strings.Cut(r.Text, ".")
		return root != "key_provider" && root != "method"
	})
}

// ProgramOfReference returns the program by whose rules release r of d reads a reference:
// tofu was a type of resources once.
func ProgramOfReference(t hcl.Traversal, d hcllang.Dialect, r hcllang.Release) hcllang.Dialect {
	if d == hcllang.OpenTofu && !t.IsRelative() && t.RootName() == "tofu" && !TofuObject.In(d, r) {
		return hcllang.Terraform
	}
	return d
}
