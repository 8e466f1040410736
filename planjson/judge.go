// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// The causes for which [Judgeable] refuses a plan, in addition to [ErrVersion],
// [ErrDuplicate] and [ErrNoDocument].
var (
	// ErrErrored is the cause if planning failed part-way: the plan contains only what was
	// planned before the error.
	ErrErrored = errors.New("planning failed")

	// ErrIncomplete is the cause if applying the plan does not reach the desired state in
	// one go, as in every plan that Terraform makes with -target. Plans of OpenTofu do not
	// contain this information.
	ErrIncomplete = errors.New("the plan is incomplete")

	// ErrDeferred is the cause if the plan leaves changes or actions to a later plan.
	ErrDeferred = errors.New("the plan defers changes")

	// ErrRedacted is the cause if the plan has placeholders in place of values, which hide the
	// differences.
	ErrRedacted = errors.New("values are hidden by redaction")

	// ErrUnknownAction is the cause if a change has actions that no released tool writes: see
	// [Actions.IsKnown].
	ErrUnknownAction = errors.New("the action of a change is not known")

	// ErrMisspelt is the cause if the plan has a member that the format does not have, whose name
	// differs in one or two characters from one that is absent: resource_change for
	// resource_changes, which a program would see as a plan without changes.
	ErrMisspelt = errors.New("a member is misspelt")
)

// Judgeable returns nil if a program can judge p by its content, and otherwise an error that
// wraps, for [errors.Is], each reason why it cannot:
//
//   - [ErrNoDocument]: p is nil, or has no member that only a plan has, such as {}.
//   - [ErrVersion]: [CheckVersion] refuses its format version.
//   - [ErrErrored]: planning failed.
//   - [ErrDeferred]: it leaves changes to a later plan.
//   - [ErrIncomplete]: its member complete is false, for another reason than deferred
//     changes.
//   - [ErrDuplicate]: the text that it was decoded from has a member twice, at any depth.
//   - [ErrRedacted]: it has placeholders of package redact, or of terraform-json.
//   - [ErrUnknownAction]: a change of a resource or an output, also a deferred one, has actions
//     that are not known.
//   - [ErrMisspelt]: a member at the top is nearly one that is absent.
//
// Each reason is an [*Error] with its place; several are joined by [errors.Join]. Their texts
// contain pointers and therefore keys of values, which may be secret; the Err of each does not.
// Reasons in allow are ignored: for a plan made with -target, pass [ErrIncomplete].
//
// These are not reasons: an absent member complete, as in plans of OpenTofu; a newer minor
// version; applyable: false, which every plan without changes has; and other unknown members,
// which [Extras] lists. Redacted numbers and bools cannot be distinguished from others. Judgeable
// reads all of the text.
func Judgeable(p *Plan, allow ...error) error {
	var reasons []error
	refuse := func(pointer string, reason error) {
		if !slices.ContainsFunc(allow, func(a error) bool { return errors.Is(reason, a) }) {
			reasons = append(reasons, placeOf(p, pointer, reason))
		}
	}
	if p == nil {
		if slices.Contains(allow, ErrNoDocument) {
			return nil
		}
		return &Error{Err: fmt.Errorf("%w: %w", ErrNoDocument, ErrAbsent)}
	}
	if err := CheckVersion(p); !p.isPlan() && (err == nil || p.FormatVersion == "") {
		refuse("", ErrNoDocument)
		if len(reasons) > 0 {
			return reasons[0]
		}
	} else if err != nil && !slices.Contains(allow, ErrVersion) {
		reasons = append(reasons, err)
	}
	if p.Errored {
		refuse("/errored", ErrErrored)
	}
	switch {
	case len(p.DeferredChanges) > 0:
		refuse("/deferred_changes", ErrDeferred)
	case len(p.DeferredActionInvocations) > 0:
		refuse("/deferred_action_invocations", ErrDeferred)
	case p.Complete != nil && !*p.Complete:
		refuse("/complete", ErrIncomplete)
	}
	if c, at := unknownAction(p); c != nil && !slices.Contains(allow, ErrUnknownAction) {
		reasons = append(reasons, placed(&c.src, at+"/actions", ErrUnknownAction))
	}
	if name, meant := misspelt(p); name != "" {
		refuse("/"+name, fmt.Errorf("%w: %s is no member of a plan, and there is no %s", ErrMisspelt, name, meant))
	}
	if !slices.Contains(allow, ErrDuplicate) {
		for d := range Duplicates(p) {
			reasons = append(reasons, &Error{Offset: d.Offset, Line: d.Line, Column: d.Column, Pointer: d.Pointer, Err: ErrDuplicate})
			break
		}
	}
	if !slices.Contains(allow, ErrRedacted) {
		text, err := Encode(p) // as it is now
		if err != nil {
			return err
		}
		if at := redacted(text); at >= 0 {
			line, column := jsonscan.Position(text, at)
			reasons = append(reasons, &Error{Offset: int64(at), Line: line, Column: column, Pointer: jsonscan.Pointer(text, at), Err: ErrRedacted})
		}
	}
	if len(reasons) == 1 {
		return reasons[0]
	}
	return errors.Join(reasons...)
}

// isPlan reports whether p has anything that only plans have.
func (p *Plan) isPlan() bool {
	if text := p.src.Text(); text != nil {
		if m := membersOf(text); m.object {
			kinds := m.kinds()
			if slices.Contains(kinds, DocumentPlan) || m.all["errored"] != 0 || m.all["applyable"] != 0 {
				return true
			}
		}
	}
	v := &p.PlannedValues
	return len(p.ResourceChanges)+len(p.ResourceDrift)+len(p.OutputChanges)+len(p.DeferredChanges)+len(p.ActionInvocations)+len(v.Outputs)+
		len(v.RootModule.Resources)+len(v.RootModule.ChildModules) > 0 || p.PriorState != nil || p.Errored || p.Applyable != nil || p.Complete != nil
}

// placeOf returns an error about a member of p, with the member's place in the text that p
// was decoded from.
func placeOf(p *Plan, pointer string, err error) error {
	text := p.src.Text()
	if pointer != "" && text != nil {
		r := jsonscan.Items{Text: text}
		offset := -1
		for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
			if r.Named(pointer[1:]) {
				offset = r.Start
			}
		}
		if offset >= 0 {
			line, column := jsonscan.Position(text, offset)
			return &Error{Offset: int64(offset), Line: line, Column: column, Pointer: pointer, Err: err}
		}
	}
	return placed(&p.src, pointer, err)
}

// placeholders are what programs write in place of secrets: package redact, and the function
// SanitizePlan of terraform-json.
var placeholders = [...][]byte{[]byte("(sensitive value)"), []byte(`"REDACTED_SENSITIVE"`)}

// redacted returns the place of the first placeholder in a text, or -1.
func redacted(text []byte) int {
	first := -1
	for _, p := range placeholders {
		if at := bytes.Index(text, p); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
