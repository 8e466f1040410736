// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

// reportSchema describes what "report -format json" prints: planjson/plandiff/document.go and the
// program write it, and a test of the program compares.
func reportSchema() (node, error) {
	defs := node{}
	for _, d := range reportDefs {
		defs = append(defs, nodeMember{d.name, append(node{{"title", d.title}, {"description", d.about}}, membersOf(d.members)...)})
	}
	body := node{{"description", `What "tofuwire report -format json" prints: the changes of plans, attribute by attribute, without secrets.`}}
	return append(append(body, membersOf(reportMembers)...), nodeMember{"$defs", defs}), nil
}

// A memberNote describes one member of the report. One that may be left out has a name that
// ends in "?".
type memberNote struct {
	name, about string
	schema      node
}

func membersOf(list []memberNote) node {
	var properties node
	var required []string
	for _, m := range list {
		name, optional := strings.CutSuffix(m.name, "?")
		properties = append(properties, nodeMember{name, append(node{{"title", words(name)}, {"description", m.about}}, m.schema...)})
		if !optional {
			required = append(required, name)
		}
	}
	return is("object").with("properties", properties).with("required", required)
}

var (
	text, count, yes, truth = is("string"), is("integer").with("minimum", 0), node{{"const", true}}, is("boolean")
	countOrNull             = is("integer", "null").with("minimum", 0)
	// A part is a scalar, null, or an empty container. For generators of types, which know no not, it
	// is any value.
	part  = anyOf(node{}).with("not", anyOf(is("object").with("minProperties", 1), is("array").with("minItems", 1)))
	steps = listOf(is("string", "integer"))
)

// standing are the members that the whole report and each of its plans have.
func standing(of string, more ...memberNote) []memberNote {
	return append([]memberNote{
		{"errored", "Whether planning failed, or a version is not supported, in " + of + ".", truth},
		{"reasons", "Why a program cannot judge " + of + ".", listOf(text)},
		{"empty", "Whether " + of + " changes nothing.", truth},
		{"changes", "How many changes there are in " + of + ".", ref("Counts")},
		{"differences", "How many differences from the approved plans there are. Null if there is none to compare with.", countOrNull},
	}, more...)
}

var reportMembers = append([]memberNote{{"format_version", "The version of this form: 1.0 today.", node{{"type", "string"}, {"pattern", `^1\.[0-9]+$`}}}},
	standing("any of the plans",
		memberNote{"marker?", "The mark by which the comment of a pull request is found again.", text},
		memberNote{"plans", "The plans, in the order of the arguments.", listOf(ref("PlanReport"))})...)

var reportDefs = []struct {
	name, title, about string
	members            []memberNote
}{
	{"Counts", "Counts", "How many changes there are. A replacement is one add and one destroy or forget, and in replace.", countNotes()},
	{"PlanReport", "Plan report", "One plan.", standing("the plan",
		memberNote{"name", "The name of the plan.", text}, memberNote{"file", "The file that the plan was read from.", text},
		memberNote{"verdict", "What the plan comes to.", open("failed", "unsupported", "incomplete", "partial", "check failed", "destroys", "changes", "refresh only", "no changes")},
		memberNote{"headline", "What the plan comes to, in one sentence.", text}, memberNote{"notes", "What a reader should know besides.", listOf(text)},
		memberNote{"groups", "The changes by module and resource type.", listOf(ref("Group"))},
		memberNote{"plan_format_version", "The format_version of the plan.", text}, memberNote{"terraform_version", "The version of the program that made the plan.", text},
		memberNote{"tool", "OpenTofu, Terraform, or empty.", text},
		memberNote{"resources", "The planned changes in the order of the plan: those that act, import, move or forget.", listOf(ref("ChangeReport"))},
		memberNote{"deferred", "The changes that the plan defers.", listOf(ref("ChangeReport"))},
		memberNote{"drift", "What was changed outside of the program.", listOf(ref("ChangeReport"))},
		memberNote{"outputs", "The changes of outputs of the root module, by name.", listOf(ref("OutputReport"))},
		memberNote{"invocations", "The actions that the plan invokes.", listOf(ref("InvocationReport"))},
		memberNote{"checks", "The checks that failed.", listOf(ref("CheckReport"))},
		memberNote{"not_shown?", "How many changes -only and -address left out.", count},
		memberNote{"against", "What differs from the approved plan. Null if there is none.", is("array", "null").with("items", ref("DifferenceReport"))})},
	{"Group", "Group", "The changes of the resources of one type in one module.", []memberNote{
		{"module", "The address of the module. Empty for the root module.", text}, {"type", "The resource type.", text},
		{"changes", "How many objects there are of each class.", mapOf(count)},
	}},
	{"ChangeReport", "Change report", "A change of an object.", []memberNote{
		{"address", "The address of the instance.", text}, {"module_address?", "The address of the module that it is in.", text}, {"mode", "The mode of the resource.", typeSchemas["Mode"]},
		{"type", "The resource type.", text}, {"name", "The name of the resource.", text}, {"index?", "The key of the instance.", key},
		{"deposed?", "The key of a deposed object.", text}, {"provider_name?", "The source address of the provider.", text}, {"previous_address?", "The address before a move.", text},
		{"class", "What happens, in one word.", open("create", "update", "delete", "replace", "replace-forget", "read", "forget", "import", "move", "other")},
		{"actions", "The actions, as in the plan.", listOf(text)}, {"action_reason?", "Why the actions were chosen, as in the plan.", text},
		{"deferred_reason?", "Why the change is deferred, as in the plan.", text}, {"explanation?", "The reason in a sentence.", text},
		{"importing?", "What is imported, by id or identity. Null in place of what is hidden or not known.", is("object")},
		{"generates_config?", "Whether a configuration was generated for the import.", truth},
		{"replace_paths?", "The paths that force a replacement, as in the plan.", listOf(is("array"))},
		{"attributes", "Every innermost part that differs.", listOf(ref("AttributeReport"))},
	}},
	{"OutputReport", "Output report", "A change of an output of the root module.", []memberNote{
		{"name", "The name of the output.", text}, {"actions", "The actions, as in the plan.", listOf(text)},
		{"attributes", "Every innermost part that differs. The path of the value itself is empty.", listOf(ref("AttributeReport"))},
	}},
	{"InvocationReport", "Invocation report", "An action that the plan invokes.", []memberNote{
		{"address", "The address of the action.", text}, {"type", "The type of the action.", text}, {"name", "The name of the action.", text}, {"provider_name", "The source address of the provider.", text},
		{"resource", "The address of the resource that triggers it. Empty if the command line asks for it.", text}, {"event", "The event that triggers it.", text},
		{"requested", "Whether the command line asks for it.", truth},
	}},
	{"CheckReport", "Check report", "A check that failed.", []memberNote{
		{"address", "The address of the checked object.", text}, {"status", "The status of the check.", typeSchemas["CheckStatus"]}, {"messages", "What failed conditions say.", listOf(text)},
	}},
	{"DifferenceReport", "Difference report", "A difference from the approved plan.", []memberNote{
		{"address", "The address of the object.", text}, {"what", "What differs.", text}, {"approved", "What was approved.", text}, {"planned", "What is planned now.", text},
	}},
	{"AttributeReport", "Attribute report", "An innermost part of a value that differs.", []memberNote{
		{"path", "The steps to the part: names, and positions after the change, or before it for what was removed.", steps},
		{"before_path?", "The steps to it before the change, if they were others.", steps},
		{"change", "How it differs.", open("added", "removed", "changed", "moved")},
		{"before", "The part before: a scalar, null, or an empty container. Null if it is hidden.", part},
		{"after", "The part after: a scalar, null, or an empty container. Null if it is hidden or not known.", part},
		{"before_sensitive?", "True if the part before is marked as sensitive.", yes}, {"after_sensitive?", "True if the part after is marked as sensitive.", yes},
		{"after_unknown?", "True if the part is known only after apply.", yes}, {"forces_replacement?", "True if the part forces a replacement.", yes},
	}},
}

// countNotes describes the counts of changes.
func countNotes() (list []memberNote) {
	for _, name := range []string{"import", "add", "change", "replace", "destroy", "forget", "move", "invoke", "outputs", "drift"} {
		list = append(list, memberNote{name, "How many: " + name + ".", count})
	}
	return list
}
