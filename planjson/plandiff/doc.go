// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plandiff lists the changes of a plan, attribute by attribute, and the
// differences of two plans or states, without the values that they mark as sensitive.
//
//	plan, err := planjson.DecodePlan(text)
//	if err != nil {
//		return err
//	}
//	diff := plandiff.Plan(plan, plandiff.Options{Schemas: schemas})
//	for _, r := range diff.Resources {
//		fmt.Println(r.Symbol(), r.Address, r.Headline())
//		for a := range r.Object.Leaves() {
//			fmt.Println("  ", a, a.Before, a.After)
//		}
//	}
//	return diff.WriteMarkdown(os.Stdout, plandiff.MarkdownOptions{})
//
// A [Diff] can be written as text, as Markdown and as HTML, each of which begins with what the
// plan says about itself: that planning failed, that it is incomplete, and so on. [ComparePlans],
// [CompareStates] and [ComparePlanWithState] compare two documents and give a [Comparison].
//
// [Comparison.Differences] answers whether the same will happen. What it leaves out: the time of
// planning, relevant attributes, what is marked as sensitive before a change and in a prior
// state, descriptions and deprecation messages of the configuration, and the order of members,
// of lists of objects with an address, of references, dependencies and replace paths.
//
// # The text
//
// The text has the layout of the command "show" of OpenTofu 1.12, with words
// of its own. It differs in a few places: an element or a nested block that is
// inserted before an unchanged one is shown as new, moves in lists are shown as
// moves, lists and maps in lists are compared, of long texts only the lines near a
// change are shown, and every value that forces a replacement says so, once. An
// attribute that becomes an empty string is shown so, not as null. The white space
// around texts of several lines is shown, with carriage returns as \r. Of an object
// that only leaves the state, what identifies it is shown. Write-only attributes are
// not.
//
// As in the tool's text, an attribute with an empty string on one side and nothing on the
// other is left out, as many providers do not tell them apart: here only if something else
// of the object is shown. [Attribute.Leaves] has it. One that stays an empty string is not
// counted among the unchanged ones. Without schemas this holds for the
// attributes of a resource, not for those of its nested blocks.
//
// # Errors
//
// Only the writers return errors: those of the caller's own io.Writer,
// unchanged. A value that is not valid JSON, which no decoded document has, is
// compared up to its fault.
//
// # Security
//
// A difference holds no value that the document marks as sensitive, on either
// side, and no text of a container with one. It does not look for copies of such a
// value in places that are not marked; package redact does.
//
// Documents may come from anywhere. Nothing in one can break out of a rendered
// text: not the escape sequences of a terminal, not Markdown, not HTML. Time and
// memory are proportional to the text of the changes. Values nested deeper than
// 1,000 levels are shown as hidden, and strings above 4 MiB are not compared as
// JSON documents.
//
// # Concurrency
//
// All functions and methods are safe for concurrent use by several goroutines,
// also with the same documents or the same difference. None changes a document.
package plandiff
