// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plandiff lists the changes of a plan, attribute by attribute, and the
// differences of two plans or states, without sensitive values.
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
// A [Diff] can be written as text, as Markdown and as HTML. [ComparePlans],
// [CompareStates] and [ComparePlanWithState] compare two documents and give a
// [Comparison].
//
// # Errors
//
// Only the writers return errors: those of the caller's own io.Writer,
// unchanged. A value that is not valid JSON, which no decoded document has, is
// compared up to its fault.
//
// # Concurrency
//
// Any number of goroutines may compare the same documents, and use the same
// difference, at the same time. Nothing here changes a document.
//
// # Security
//
// A difference holds nothing that the document marks as sensitive: neither the
// values nor any text that contains them. It does not find secrets that the
// document does not mark; package redact does.
//
// Documents may come from anywhere. Nothing in one can break out of a rendered
// text: not the escape sequences of a terminal, not Markdown, not HTML. Time and
// memory are in proportion to the text of the changes. Values nested deeper than
// 1,000 levels are shown as hidden.
package plandiff
