// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

func tfSchema() (node, error) {
	return languageSchema(hcllang.Root, "A configuration file of OpenTofu or Terraform in JSON syntax: blocks by type and labels.")
}

func tftestSchema() (node, error) {
	return languageSchema(hcllang.Test, "A test file of OpenTofu or Terraform in JSON syntax: run blocks and what they need.")
}

// A languageWriter makes the schema of a kind of configuration file.
type languageWriter struct {
	defs  map[string]node
	names map[*hcllang.Block]string
}

// languageSchema returns the schema of files with the blocks of root.
func languageSchema(root *hcllang.Block, about string) (node, error) {
	w := &languageWriter{defs: map[string]node{}, names: map[*hcllang.Block]string{}}
	w.names[root] = "file"
	n := w.body(root, "")
	w.defs["file"] = n
	var defs node
	for _, name := range slices.Sorted(maps.Keys(w.defs)) {
		defs = append(defs, nodeMember{name, w.defs[name]})
	}
	return node{{"description", about}}.with("anyOf", []node{ref("file"), listOf(ref("file"))}).with("$defs", defs), nil
}

// mergeable are the blocks whose arguments may be missing in an override file.
var mergeable = []string{"terraform", "language", "provider", "variable", "output", "module", "resource", "data", "ephemeral", "run"}

// body returns the schema of an object with the content of a block.
func (w *languageWriter) body(b *hcllang.Block, path string) node {
	properties := node{{"//", node{{"title", "Comment"}, {"description", commentNote}}}}
	var required []string
	override := slices.Contains(mergeable, path)
	for i := range b.Args {
		a := &b.Args[i]
		if a.Reserved != "" {
			continue
		}
		properties = append(properties, nodeMember{a.Name, w.argument(b, a, path)})
		if a.Required && !override {
			required = append(required, a.Name)
		}
	}
	for _, inner := range b.Blocks {
		if inner.Reserved != "" {
			continue
		}
		in := strings.TrimPrefix(path+"."+inner.Name, ".")
		p := node{{"title", words(inner.Name)}, {"description", blockNote(inner, in)}}
		if removed(inner.Since) {
			p = p.with("deprecated", true)
		}
		properties = append(properties, nodeMember{inner.Name, append(p, w.labelled(inner, in, inner.Labels)...)})
	}
	n := is("object").with("properties", properties).with("required", required)
	if b.Rest == hcllang.RestRequirements {
		n = n.with("additionalProperties", requirementSchema)
	}
	return n
}

// requirementSchema is that of an entry of required_providers.
var requirementSchema = anyOf(
	node{{"title", "Version constraint"}, {"description", "The version constraint alone, as Terraform 0.12 took it."}, {"type", "string"}},
	is("object").with("properties", node{
		{"source", node{{"title", "Source"}, {"description", "The source address of the provider, such as hashicorp/aws."}, {"type", "string"}}},
		{"version", node{{"title", "Version"}, {"description", "The versions that the module works with."}, {"type", "string"}}},
		{"configuration_aliases", append(node{{"title", "Configuration aliases"}, {"description", "Provider configurations that the caller of the module passes, such as aws.west."}}, listOf(is("string"))...)},
	}))

// labelled returns the schema of a block below the labels that are left: an object, or
// an array of such, at any depth.
func (w *languageWriter) labelled(b *hcllang.Block, path string, labels []string) node {
	name := "blocks-" + w.refer(b, path) + strings.Repeat("-by-label", len(labels))
	if w.defs[name] != nil {
		return ref(name)
	}
	w.defs[name] = node{{"type", "object"}} // it may contain itself
	one := ref(w.refer(b, path))
	if len(labels) > 0 {
		one = mapOf(w.labelled(b, path, labels[1:])).with("propertyNames", node{{"description", "The label: " + labels[0] + "."}}).
			with("properties", node{{"//", node{{"title", "Comment"}, {"description", commentNote}}}})
	}
	w.defs[name] = append(node{{"title", words(b.Name)}, {"description", "One block, or an array of blocks."}}, anyOf(one, listOf(ref(name)), is("null"))...)
	return ref(name)
}

const commentNote = "A comment. Both programs ignore it."

// refer returns the name of the schema of the body of a block, and makes it.
func (w *languageWriter) refer(b *hcllang.Block, path string) string {
	if name, ok := w.names[b]; ok {
		return name
	}
	// No dots: generators of code take them for the parts of a module's name.
	first := strings.ReplaceAll(strings.ReplaceAll(path+".", "._.", ".escaped."), ".", "-")
	first = strings.TrimSuffix(first, "-")
	name := first
	for i := 2; w.defs[name] != nil; i++ {
		name = first + "-" + strconv.Itoa(i)
	}
	w.names[b] = name
	w.defs[name] = node{{"title", words(b.Name)}}
	w.defs[name] = append(node{{"title", words(b.Name)}, {"description", "The content of the block " + path + "."}}, w.body(b, path)...)
	return name
}

// argument returns the schema of an argument.
func (w *languageWriter) argument(b *hcllang.Block, a *hcllang.Argument, path string) node {
	n := node{{"title", words(a.Name)}, {"description", argumentNote(a, path)}}
	if removed(a.Since) {
		n = n.with("deprecated", true)
	}
	return append(n, argumentSchema(b, a)...)
}

func argumentSchema(b *hcllang.Block, a *hcllang.Argument) node {
	switch a.Kind {
	case hcllang.KindLiteral:
		switch a.Lit {
		case hcllang.StringLiteral:
			return is("string", "number", "boolean")
		case hcllang.BoolLiteral, hcllang.StrictBool:
			return anyOf(is("boolean"), is("string"))
		case hcllang.NumberLiteral:
			return is("number", "string")
		}
		return anything
	case hcllang.KindType, hcllang.KindReference, hcllang.KindSource, hcllang.KindProviderReference:
		return is("string")
	case hcllang.KindKeyword:
		var values []string
		for _, word := range a.Values {
			values = append(values, word.Text)
		}
		if values != nil {
			return open(values...)
		}
		return is("string")
	case hcllang.KindReferenceList, hcllang.KindSourceList, hcllang.KindKeywordList:
		return listOf(is("string"))
	case hcllang.KindAttributeList:
		return anyOf(node{{"const", "all"}}, listOf(is("string")), is("string"))
	case hcllang.KindProviderMap:
		return mapOf(is("string"))
	}
	if a.Name == "source" || a.Name == "version" {
		return is("string")
	}
	return anything
}

// removed reports whether the newest release of each program lacks what older ones have.
func removed(s hcllang.Support) bool {
	return (s.OpenTofu != "" || s.Terraform != "") && !s.In(hcllang.OpenTofu, 0) && !s.In(hcllang.Terraform, 0)
}

// supportNote says since which releases something exists.
func supportNote(s hcllang.Support) string {
	if s == (hcllang.Support{}) || s == hcllang.Everywhere {
		return ""
	}
	var parts []string
	for _, d := range []hcllang.Dialect{hcllang.OpenTofu, hcllang.Terraform} {
		since, until := s.Since(d), s.Until(d)
		switch {
		case since == "":
			parts = append(parts, "not in "+d.String())
		case since == "0" && until == "":
			parts = append(parts, "in every release of "+d.String())
		case until != "":
			parts = append(parts, "in "+d.String()+" from "+since+" until "+until)
		default:
			parts = append(parts, "since "+d.String()+" "+since)
		}
	}
	text := strings.Join(parts, ", ") + "."
	return " " + strings.ToUpper(text[:1]) + text[1:]
}

func blockNote(b *hcllang.Block, path string) string {
	text := blockNotes[b.Name]
	if text == "" {
		text = "The block " + path + "."
	}
	if len(b.Labels) > 0 {
		text += " Labels: " + strings.Join(b.Labels, ", ") + "."
	}
	if b.AtMost == 1 {
		text += " At most one."
	}
	return text + supportNote(b.Since)
}

func argumentNote(a *hcllang.Argument, path string) string {
	text := argumentNotes[path+"."+a.Name]
	if text == "" {
		text = argumentNotes[a.Name]
	}
	if text == "" {
		text = "The argument " + a.Name + " of " + path + "."
	}
	switch a.Kind {
	case hcllang.KindExpression:
		text += ` An expression: a string is a template, such as "${var.a}".`
	case hcllang.KindStatic:
		text += " An expression that is evaluated early: it may refer to variables and locals alone, and in older releases to nothing."
	case hcllang.KindLiteral:
		text += " A literal, without references."
	case hcllang.KindReference:
		text += " A bare reference in a string, without ${ }."
	case hcllang.KindReferenceList, hcllang.KindSourceList:
		text += " A list of bare references in strings, without ${ }."
	case hcllang.KindSource:
		text += " Native source in a string, without ${ }."
	}
	for _, word := range a.Values {
		text += " " + word.Text + ":" + orEvery(supportNote(word.Since))
	}
	return text + supportNote(a.Since)
}

func orEvery(note string) string {
	if note == "" {
		return " in every release."
	}
	return note
}

// blockNotes says in words what a block is for.
var blockNotes = map[string]string{
	"terraform": "Settings of the program itself: versions, providers, where the state is.", "language": "The edition and the features of the language that the module uses.",
	"provider": "The configuration of a provider.", "variable": "An input variable of the module.", "locals": "Named values for use inside the module.",
	"output": "A value that the module gives to its caller, or shows to people.", "module": "A call of another module.", "resource": "An object that the program creates and manages.",
	"data": "An object that the program only reads.", "ephemeral": "A resource that exists only while the program runs.", "moved": "Says that a resource or module has another address now.",
	"import": "Takes an existing object into the state.", "removed": "Says that a resource or module is no longer part of the configuration.", "check": "Assertions about the infrastructure, which do not stop a run.",
	"action": "An action that a provider offers.", "required_providers": "The providers that the module needs, by local name.", "backend": "Where the state is stored.",
	"cloud": "The organisation and the workspaces of HCP Terraform or of its like.", "provider_meta": "Data of the module for a provider.", "encryption": "How state and plan files are encrypted.",
	"key_provider": "Where a key of the encryption comes from.", "method": "A method of encryption with its key.", "state": "The encryption of the state.", "plan": "The encryption of saved plans.",
	"fallback": "The method that reads what the first one cannot.", "remote_state_data_sources": "The encryption of states that other configurations own.", "default": "What holds where nothing else is said.",
	"remote_state_data_source": "The encryption of the state that one data source reads.", "state_store": "A provider's store of the state.", "lifecycle": "How the objects of the resource are created, replaced and destroyed.",
	"precondition": "What must hold before the object is planned.", "postcondition": "What must hold after the object was read or changed.", "validation": "What a value of the variable must fulfil.",
	"action_trigger": "Runs actions before or after changes of the resource.", "connection": "How provisioners reach the object.", "provisioner": "What runs after the object was created, or before it is destroyed.",
	"dynamic": "Makes nested blocks from a collection.", "content": "The content of each of the blocks.", "_": "Arguments of the provider's schema whose names the language would take for its own.",
	"assert": "A condition that must hold.", "config": "The arguments that the provider's schema asks for.", "run": "One run of the test: a plan or an apply with assertions.", "variables": "Values of input variables.",
	"plan_options": "Options of the plan.", "override_resource": "Values in place of those that a resource would have.", "override_data": "Values in place of those that a data source would give.",
	"override_module": "Values in place of the outputs of a module.", "mock_provider": "A provider that makes up its values.", "mock_resource": "Values of the resources of a type.", "mock_data": "Values of the data sources of a type.",
	"test": "Settings of all runs of the file.", "compatible_with": "The versions of the programs that the module works with.",
}

// argumentNotes says in words what an argument is for: by name, or by the path of its
// block and its name.
var argumentNotes = map[string]string{
	"required_version": "The versions of the program that the module works with.", "experiments": "Experimental features that the module uses.", "terraform.language": "The edition of the language.",
	"edition": "The edition of the language.", "opentofu": "The versions of OpenTofu that the module works with.", "encrypted_metadata_alias": "The name under which the key's metadata are stored.", "alias": "The name of a further configuration of the same provider.",
	"provider.version": "The versions of the provider; required_providers is the place for it now.", "count": "The number of instances.", "for_each": "The map or set that gives one instance for each element.",
	"provider": "The provider configuration to use, such as aws.west.", "depends_on": "Objects that must be done first, where no reference says so.", "type": "The type constraint, such as list(string).",
	"variable.default": "The value if the caller gives none.", "description": "What it is for, for people.", "sensitive": "Whether the value is hidden in the output of the program.", "nullable": "Whether the value may be null.",
	"ephemeral": "Whether the value is never stored.", "const": "Whether the value must be known before the configuration is evaluated.", "deprecated": "A message for those who still use it.", "condition": "The condition: true if all is well.",
	"error_message": "What to say if the condition does not hold.", "output.value": "The value.", "module.source": "Where the module comes from: a local path, an address in a registry, or another address.", "module.version": "The versions of the module, for a source in a registry.",
	"providers": "The provider configurations to pass on, by their names inside.", "ignore_nested_deprecations": "Whether warnings about what is deprecated inside the module are hidden.", "enabled": "Whether the object exists at all.",
	"create_before_destroy": "Whether a replacement is created before the old object is destroyed.", "prevent_destroy": "Whether a plan that destroys the object is an error.", "destroy": "Whether the object is destroyed, not only forgotten, when it leaves the configuration.",
	"ignore_changes": "Attributes whose changes do not matter, or all.", "replace_triggered_by": "References whose changes replace the object.", "events": "The events that run the actions, such as after_create.", "actions": "The actions to run, in order.",
	"on_failure": "What a failure leads to.", "when": "When the provisioner runs.", "from": "The old address.", "to": "The new address.", "import.to": "The address that the object gets.", "import.id": "The provider's identifier of the object.",
	"identity": "The identity of the object, in place of an identifier.", "command": "Whether to plan or to apply.", "expect_failures": "The checks that must fail.", "state_key": "The name of the state that the run uses.", "parallel": "Whether the run may go on beside others.",
	"skip_cleanup": "Whether what the run made is left.", "mode": "The mode of the plan.", "refresh": "Whether to refresh the state first.", "replace": "Objects to replace.", "target": "What it is about: a resource, a module or a part of them.", "values": "The values, by attribute.",
	"outputs": "The values, by output.", "override_during": "Whether the values are there during the plan or after the apply.", "defaults": "The values, by attribute.", "run.module.source": "Where the module under test comes from.", "run.module.version": "The versions of that module.",
	"mock_provider.source": "The folder with further mock files.", "enforced": "Whether everything must be encrypted.", "method": "The method of encryption.", "iterator": "The name of the element in the content.", "labels": "The labels of each block.",
	"include_resource": "Whether to give whole objects.", "limit": "The most results.",
}
