// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Unmarked is a set of places in messages that may hold secrets although the
// format cannot mark them. [Message.Redact] leaves alone the places in the set it
// is given. The set of this name in package planjson/redact has the same purpose.
// Its values include [UnmarkedComparisons], [UnmarkedValues] and [UnmarkedOutputs].
type Unmarked uint

// The places. Combine them with the operator |.
const (
	// UnmarkedComparisons covers both sides of a failed comparison, which OpenTofu writes in
	// clear text even if they are sensitive, and the details that Terraform writes about failed
	// test assertions.
	UnmarkedComparisons Unmarked = 1 << iota

	// UnmarkedValues covers the values of expressions, in diagnostics. The tools hide sensitive
	// values, but not those that a provider did not mark.
	UnmarkedValues

	// UnmarkedOutputs covers the values of outputs that are not sensitive. Those of sensitive
	// outputs, which Terraform before 1.4 writes, are always removed.
	UnmarkedOutputs

	// UnmarkedStates covers the state that is dumped when it cannot be saved, and the plans and
	// states of verbose tests.
	UnmarkedStates

	// UnmarkedProvisioners covers the output of provisioners and of actions, and what the lines
	// of a tool's own log say, those of its core and those of plugins.
	UnmarkedProvisioners

	// UnmarkedIdentities covers the values that identify objects ("[id=...]"), and the names
	// that a provider gives to the results of a query.
	UnmarkedIdentities

	// UnmarkedGeneratedConfig covers configuration that was generated for imports, and the
	// objects that a query found.
	UnmarkedGeneratedConfig

	// UnmarkedDetails covers the detail of diagnostics, and the source text that they quote.
	UnmarkedDetails

	// UnmarkedInstanceKeys covers the instance keys that are strings, in all addresses, in the
	// text and in the summary. The tools refuse a sensitive key, but not one that the function
	// nonsensitive made. Without their keys, the instances of a block cannot be told apart.
	UnmarkedInstanceKeys

	// UnmarkedExtra covers all members that this package does not know.
	UnmarkedExtra
)

// Redacted replaces text that was removed. The tools show values
// that are marked as sensitive with the same words, and so does the Redactor of
// package redact.
const Redacted = "(sensitive value)"

// Redact removes the parts of m that may hold secrets, except the places in
// keep, and reports whether it changed anything. The rest keeps its bytes. If
// keep is zero, it removes every part known to be at risk; most callers keep
// [UnmarkedOutputs], [UnmarkedDetails], [UnmarkedInstanceKeys] and
// [UnmarkedExtra]. To remove known secret texts everywhere, use the function of
// [RemoveSecrets].
//
// Redact fails closed: if a member has another kind than its field, or occurs
// twice, the message is reduced to its envelope, and its text gives the reason.
//
// The text and the summary of diagnostics are for people and stay. If the text repeats a removed
// value, it is removed there as well. So are, in URLs, the user information, except the user git,
// and the arguments of the query, except those that say which version is meant, such as ref: the
// errors of backends have the URLs that they were configured with. Addresses stay, including
// numeric instance keys; string keys become [Redacted] unless keep has [UnmarkedInstanceKeys].
// Lines without a message are not covered: a filter should drop them. Text around a message on its
// line, and the rest of a damaged message, is not written: see [Writer.WriteEvent].
func (m *Message) Redact(keep Unmarked) bool {
	if m == nil {
		return false
	}
	m.redacted = true
	if m.reduce() {
		return true
	}
	r := redaction{keep: keep}
	if kindOf(m) == EventLog && (m.Module != "" || m.Level != "") { // the lines of the tools' core have no module
		r.log(m)
	}
	r.message(m)
	if keep&UnmarkedInstanceKeys == 0 {
		r.keys(m)
	}
	return r.changed
}

// sound reports whether the typed fields show all that the line holds.
func (m *Message) sound() bool {
	line, err := Encode(m)
	if err != nil {
		return false
	}
	for range wire.Duplicates(line) {
		return false
	}
	return len(m.Problems()) == 0
}

// A redaction is one call of Redact.
type redaction struct {
	keep    Unmarked
	kept    map[any]bool // pointers to what belongs to a place in keep
	changed bool
}

// isKept reports whether a place is to be left alone. p points to its value.
func (r *redaction) isKept(place Unmarked, p any) bool {
	if r.keep&place == 0 {
		return false
	}
	if r.keep&UnmarkedInstanceKeys == 0 {
		if r.kept == nil {
			r.kept = make(map[any]bool)
		}
		r.kept[p] = true
	}
	return true
}

// log removes what a line of a tool's own log says: it can be a request with its password.
func (r *redaction) log(m *Message) {
	if r.keep&UnmarkedProvisioners != 0 {
		return
	}
	r.text(UnmarkedProvisioners, &m.Text, nil)
	r.keep &^= UnmarkedExtra
}

func (r *redaction) message(m *Message) {
	r.extras(m)
	for _, d := range []*Diagnostic{m.Diagnostic, m.PolicyDiagnostic} {
		r.diagnostic(d)
	}
	if m.PolicyInfo != nil {
		r.snippet(m.PolicyInfo.Snippet)
		r.snippet(m.PolicyInfo.PolicySnippet)
	}
	for _, q := range m.Results {
		r.identity(&q.Identity)
		for _, p := range q.Policies {
			for _, d := range p.Diagnostics {
				r.diagnostic(d)
			}
		}
	}
	for _, o := range m.Outputs {
		if o.Sensitive || r.keep&UnmarkedOutputs == 0 {
			r.names(&o.Type)
		}
		if o.Sensitive {
			r.remove(0, &o.Value)
		}
		r.remove(UnmarkedOutputs, &o.Value)
	}
	r.remove(UnmarkedStates, &m.State)
	r.document(&m.TestPlan)
	r.document(&m.TestState)
	r.hook(m)
	if m.Change != nil {
		r.text(UnmarkedGeneratedConfig, &m.Change.GeneratedConfig, nil)
		if i := m.Change.Importing; i != nil {
			r.text(UnmarkedIdentities, &i.ID, &m.Text)
			r.identity(&i.Identity)
		}
	}
	if f := m.ListResourceFound; f != nil {
		r.text(UnmarkedIdentities, &f.DisplayName, &m.Text)
		r.identity(&f.Identity)
		r.remove(UnmarkedGeneratedConfig, &f.ResourceObject)
		r.text(UnmarkedGeneratedConfig, &f.Config, nil)
		r.text(UnmarkedGeneratedConfig, &f.ImportConfig, nil)
	}
	if s := m.ListStart; s != nil {
		r.remove(UnmarkedGeneratedConfig, &s.InputConfig)
	}
	r.credentials(&m.Text)
}

// credentials replaces the credentials in the URLs of a text that stays.
func (r *redaction) credentials(p *string) {
	if now := printable.Credentials(*p, Redacted); now != *p {
		*p, r.changed = now, true
	}
}

func (r *redaction) hook(m *Message) {
	h := m.Hook
	if h == nil {
		return
	}
	r.text(UnmarkedProvisioners, &h.Output, &m.Text)
	r.text(UnmarkedProvisioners, &h.Message, &m.Text)
	r.text(UnmarkedProvisioners, &h.Error, &m.Text)
	r.text(UnmarkedIdentities, &h.IDValue, &m.Text)
}

func (r *redaction) diagnostic(d *Diagnostic) {
	if d == nil {
		return
	}
	if d.Difference != nil && !r.isKept(UnmarkedComparisons, d.Difference) {
		d.Difference = nil
		r.changed = true
	}
	r.text(UnmarkedDetails, &d.Detail, nil)
	r.credentials(&d.Summary)
	r.credentials(&d.Detail)
	r.snippet(d.Snippet)
	r.snippet(d.PolicySnippet)
}

func (r *redaction) snippet(s *Snippet) {
	if s == nil {
		return
	}
	if _, ok := s.Context.Text(); !ok && s.Context != nil && !s.Context.IsNull() {
		s.Context = Value("null") // it can be anything
		r.changed = true
	}
	r.text(UnmarkedDetails, &s.Code, nil)
	for _, v := range s.Values {
		if strings.Contains(v.Traversal, "[") { // the key can be that of a sensitive map
			r.text(UnmarkedValues, &v.Traversal, nil)
		}
		r.text(UnmarkedValues, &v.Statement, nil)
	}
	if a := s.TestAssertionExpr; a != nil {
		r.text(UnmarkedComparisons, &a.LHS, nil)
		r.text(UnmarkedComparisons, &a.RHS, nil)
		r.text(UnmarkedComparisons, &a.Warning, nil)
	}
}

// text replaces *p, and where it is repeated in *also.
func (r *redaction) text(place Unmarked, p, also *string) {
	if r.isKept(place, p) || *p == "" || *p == Redacted {
		return
	}
	if also != nil {
		*also = scrub(*also, *p)
	}
	*p = Redacted
	r.changed = true
}

// scrub replaces a value in the text of a message. A short one, such as "1", is
// replaced only where the tools put it: in "[id=1]" and at the end.
func scrub(text, value string) string {
	if len(value) > 3 {
		return strings.ReplaceAll(text, value, Redacted)
	}
	if before, ok := strings.CutSuffix(text, ": "+value); ok {
		text = before + ": " + Redacted
	}
	return strings.ReplaceAll(text, "="+value+"]", "="+Redacted+"]")
}

// identity replaces the values in an identity, an object, and keeps the names of its
// attributes, which are those of a schema.
func (r *redaction) identity(p *Value) {
	if r.isKept(UnmarkedIdentities, p) || *p == nil || p.IsNull() {
		return
	}
	token := quote(Redacted)
	hidden, changed := token, string(*p) != string(token)
	if p.object() != nil {
		hidden, changed = Value("{"), false
		for name, v := range wire.ValueMembers(*p) {
			if !v.IsNull() && string(v) != string(token) {
				v, changed = token, true
			}
			if len(hidden) > 1 {
				hidden = append(hidden, ',')
			}
			hidden = append(append(append(hidden, quote(name)...), ':'), v...)
		}
		hidden = append(hidden, '}')
	}
	if changed {
		*p, r.changed = hidden, true
	}
}

// document replaces a document by an empty one.
func (r *redaction) document(p *Value) {
	if r.isKept(UnmarkedStates, p) || *p == nil || p.IsNull() || string(*p) == "{}" {
		return
	}
	*p = Value("{}")
	r.changed = true
}

// remove removes an optional raw value.
func (r *redaction) remove(place Unmarked, p *Value) {
	if r.isKept(place, p) || *p == nil {
		return
	}
	*p = nil
	r.changed = true
}

// extras removes the extra members of all objects.
func (r *redaction) extras(m *Message) {
	if r.keep&UnmarkedExtra != 0 {
		return
	}
	objects("", reflect.ValueOf(m), func(_ string, o Object) bool {
		var names []string
		for name := range Extra(o) {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if SetExtra(o, name, nil) == nil {
				r.changed = true
			}
		}
		return true
	})
}

// names removes a type with the names of attributes, which can be secrets.
func (r *redaction) names(t *Value) {
	if strings.Contains(string(*t), "{") {
		*t = Value(`"dynamic"`)
		r.changed = true
	}
}

// RemoveSecrets returns a function that replaces known secrets everywhere in a message: in
// text, details and source text, values, addresses, keys, the output of provisioners, and
// members that this package does not know. It finds them as a whole text or a part of one, in
// JSON inside strings, escaped as in the configuration language, percent-encoded and in base64.
// In texts, but not in addresses, it also finds the parts of a secret that is spread over lines
// or over messages, such as a dump that a provisioner prints, as [RemoveSecretsFromText] does.
//
// The method KnownSecrets of redact.Redactor returns the secrets of a plan. Empty secrets are
// ignored; a secret of several lines is also found line by line. A malformed message is first
// reduced to its envelope, as by [Message.Redact]. The names and words of the format itself,
// such as the type of the message or an action, stay, and so does the time, even if one of them
// equals a secret. As after [Message.Redact], only the message of an event is written; text
// before it on its line is lost. To keep that text, write Event.Prefix, the message as [Encode]
// returns it, and the line end. To keep all lines, including those without a message, use
// TextRemover.Copy.
//
// The function is safe for concurrent use.
func RemoveSecrets(secrets []string) func(m *Message) {
	return RemoveSecretsFromText(secrets).message
}

// reduce makes a message that is not sound its envelope, and reports whether it
// was.
func (m *Message) reduce() bool {
	if m.sound() {
		return false
	}
	*m = m.envelope()
	return true
}

func (m *Message) envelope() Message {
	return Message{
		Level: m.Level, Text: Redacted + ": the message has members of an unexpected kind, or twice",
		Module: m.Module, InFile: m.InFile, InRun: m.InRun, Timestamp: m.Timestamp, Type: m.Type, redacted: m.redacted,
	}
}

// memberNames has the names of all members that the format gives to objects.
var memberNames = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if key := t.String() + "." + name; name != "" && !names[key] {
					names[key], names[name] = true, true
					visit(f.Type)
				}
			}
		}
	}
	visit(reflect.TypeFor[Message]())
	return names
})
