// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plandiff lists the changes of a plan, attribute by attribute, and the
// differences between two plans or states. It leaves out values that the documents
// mark as sensitive.
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
// A [Diff] can be written as text, as Markdown and as HTML. Each form begins with the status of
// the plan: whether planning failed, whether it is incomplete, and so on. [ComparePlans],
// [CompareStates] and [ComparePlanWithState] compare two documents and return a [Comparison]. They
// do not judge the documents: an empty document has no changes, and is equal to another one. A
// program that decides by the result calls planjson.Judgeable first.
//
// [Comparison.Differences] reports whether applying both plans would do the same. It ignores the
// time of planning, relevant attributes, marks of sensitive values before a change and in a
// prior state, descriptions and deprecation messages of the configuration, and the order of
// members, of lists of objects with an address, of references, dependencies and replace paths.
//
// # The text
//
// The text follows the layout of the command "show" of OpenTofu 1.12, but is worded
// differently. It also differs in a few details. An element or nested block
// inserted before an unchanged one is shown as new. Moves in lists, also in those of JSON
// documents, are shown as moves, and lists and maps in lists are compared. Long texts show
// only the lines near a change. Each value that forces a replacement is marked once. An attribute
// that becomes an empty string is shown as empty, not as null. White space around
// multi-line texts is shown, with carriage returns as \r. A forgotten object shows
// only its identity. Write-only attributes are not shown.
//
// Many providers do not distinguish an empty string from an absent one. Like the tool, the
// text therefore leaves out an attribute that is an empty string on one side and absent on
// the other, but only if it shows another attribute of the object. [Attribute.Leaves]
// includes it. An attribute that stays an empty string does not count as unchanged.
// Without schemas, these rules apply to the attributes of a resource, but not to those of
// its nested blocks.
//
// # Errors
//
// Only the writers return errors: those of the caller's io.Writer, unchanged. A
// value that is not valid JSON, which cannot occur in a decoded document, is
// compared up to its fault.
//
// # Security
//
// A difference contains no value that the document marks as sensitive on either
// side, and no text of a container with such a value. This package does not look
// for copies of the value in unmarked places; package redact does.
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
