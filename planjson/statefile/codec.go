// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

//go:generate go run -C ../../tools ./wiregen ../planjson/statefile

// Decode decodes src, the text of one state: a file such as terraform.tfstate or
// a backup of it, the content of a backend, or the output of "state pull". The
// result refers to src, which must not be changed afterwards; [Clone] makes it
// independent.
//
// A state of version 3, written by Terraform 0.9 to 0.11 or a program based on it, is
// decoded as by both tools: the result is the equivalent state of version 4, with the
// attributes in [InstanceObject.AttributesFlat], and positions are those of version 4.
// Encode gives the text of version 3 until something changes, and version 4 then.
//
// The error is an [*Error] with its place. It wraps [ErrEncrypted] if OpenTofu has
// encrypted the state, [ErrVersion] if the state is not in version 3 or 4, [ErrEmpty]
// if there is no text, and [ErrKind] if the text is another document, such as the
// output of show -json, or if a member is of another kind than its field. What OpenTofu
// and Terraform both refuse to read is refused, with an error that wraps [ErrInvalid]:
// invalid addresses, instances that occur twice, outputs whose value is not of their
// type. The attributes of instances are not checked, because their types are only in a
// provider's schema.
//
// A text that is compressed by gzip, as Kubernetes and Consul keep states, is decompressed;
// positions are those in the result. Encode gives the compressed text until something changes,
// and text that is not compressed then. The error wraps [ErrLimit] if the text grows to more
// than 64 MiB and 256 times its length.
func Decode(src []byte) (*File, error) {
	if !isCompressed(src) {
		return decode(src)
	}
	text, err := decompressed(src)
	if err != nil {
		return nil, err
	}
	f, err := decode(text)
	if err != nil {
		return nil, err
	}
	if f.older != nil {
		text = f.older.upgraded
	}
	f.older = &before4{src, text}
	return f, nil
}

// decode decodes a text that is not compressed.
func decode(src []byte) (*File, error) {
	d := wire.BorrowDecoder()
	f := new(File)
	if err := d.Decode(src, fileTable, f); err != nil {
		return nil, otherwise(src, wireError(err))
	}
	d.Return()
	if f.Version == 3 && string(planjson.Value(src).Member("version")) == "3" && planjson.KindOf(src) != planjson.DocumentBackend {
		return decode3(src)
	}
	if f.Version != 4 || !f.src.HasKnown() {
		return nil, otherwise(src, nil)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

// otherwise returns the error for a text that is no state of version 4, or else
// err, the error of decoding it.
func otherwise(src []byte, err error) error {
	if len(src) == 0 {
		return &Error{Line: 1, Column: 1, Err: ErrEmpty}
	}
	if bytes.HasPrefix(src, []byte("tfstate")) {
		return &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the binary format of Terraform before 0.7; Terraform 0.6.16 upgrades it", ErrVersion)}
	}
	kind := planjson.KindOf(src)
	if err != nil && !isPlan(src) && kind != planjson.DocumentMessage && !jsonscan.Valid(src) {
		return err
	}
	text := planjson.Value(src)
	version := text.Member("version")
	if kind != "" && kind != planjson.DocumentStateFile && version.Kind() != planjson.KindNumber {
		err = &otherKind{string(kind)}
		switch kind {
		case planjson.DocumentEncrypted:
			err = ErrEncrypted
		case planjson.DocumentCloudPlan, planjson.DocumentLockInfo:
			_, err = planjson.Decode(src)
			return &Error{Line: 1, Column: 1, Err: causeOf(err)}
		case planjson.DocumentPlanFile:
			err = fmt.Errorf("%w: this is a saved plan; package planfile reads it", ErrKind)
		}
		return &Error{Line: 1, Column: 1, Err: err}
	}
	if version == nil || version.IsNull() {
		return &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text has no member version, so it is not a state", ErrKind)}
	}
	n, ok := version.Int64()
	switch {
	case kind == planjson.DocumentBackend:
		err = fmt.Errorf("%w: this is the file .terraform/terraform.tfstate, which holds the settings of a backend; \"state pull\" prints the state in the backend", ErrVersion)
	case ok && n == 4 || version.Kind() != planjson.KindNumber:
		return err
	case ok && n == 3: // read from a stream, or spelled in another way
		err = fmt.Errorf("%w: version 3 is that of Terraform before 0.12; Decode reads it", ErrVersion)
	case ok && 1 <= n && n < 3:
		err = fmt.Errorf("%w: version %d is that of Terraform before 0.9; Terraform 0.12 or later and OpenTofu 1.6 to 1.12 upgrade it whenever they write the state, as with \"state push\" of the file", ErrVersion, n)
	case ok && n == 0:
		err = fmt.Errorf("%w: version 0, which no tool has written as JSON", ErrVersion)
	default:
		err = fmt.Errorf("%w: %s, from a later release than this package supports", ErrVersion, jsonscan.AppendCanonical(nil, shortened(version)))
	}
	at := placeOf(src, "version")
	at.Err = err
	return at
}

// shortened returns a number for a message.
func shortened(v planjson.Value) planjson.Value {
	if len(v) > 20 {
		return planjson.Value(`"a number of many digits"`)
	}
	return v
}

// An otherKind is the cause of the error for a document of another kind.
type otherKind struct{ kind string }

func (e *otherKind) Error() string {
	switch planjson.DocumentKind(e.kind) {
	case planjson.DocumentState:
		return "this is a state as \"show -json\" prints it, not as the tools save it; planjson.DecodeState decodes it"
	case planjson.DocumentMessage:
		return "this is a stream of messages, not a state; package uijson reads it"
	}
	return "this is a document of the kind " + e.kind + ", not a state; planjson.Decode decodes it"
}

// Is makes it an [ErrKind].
func (e *otherKind) Is(target error) bool { return target == ErrKind }

// Encode returns the text of doc, a state or another document of this package. A decoded
// document that was not changed gives the text it was decoded from, byte for byte. If it was
// changed, only the changed members differ. One made by the caller is written as the newest
// OpenTofu writes it; [CanonicalFor] takes another release.
//
// The error is an [*Error] for a value that is not valid JSON, or for a nil
// element in a list or map. Encode only reads doc, so several goroutines may encode
// it at the same time. It does not check what [Decode] checks.
func Encode(doc Document) ([]byte, error) {
	if isNil(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	src, table := about(doc)
	e := wire.BorrowEncoder()
	text, err := e.Append(nil, table, doc)
	if err != nil {
		return nil, wireError(err)
	}
	e.Return()
	f, ok := doc.(*File)
	if ok && f.older != nil && bytes.Equal(text, f.older.upgraded) {
		return bytes.Clone(f.older.text), nil
	}
	switch {
	case src.Origin() == wire.Whole:
		return text, nil
	case src.Origin() == wire.None:
		return doc.layout().lay(text), nil
	}
	return append(text, '\n'), nil
}

// Write writes the result of [Encode] to w, without holding all of it. If w
// fails, its error is returned unchanged. On any error part of the text may have
// been written.
func Write(w io.Writer, f *File) error {
	if f == nil {
		return &Error{Err: ErrAbsent}
	}
	if f.src.Origin() != wire.Whole || f.older != nil {
		text, err := Encode(f)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	var e wire.Encoder
	return wireError(e.Write(w, fileTable, f))
}

// Canonical returns the text of f as the tool that wrote it writes a state:
// members in its order, values of outputs with sorted names and numbers in plain
// decimal, attributes and identities without white space, HTML characters
// escaped. A state does not name its tool, and local files differ from remote
// ones. Therefore, its form is that of the text that f was decoded from:
// indented or compact, with the same end. The canonical form of a state that a
// tool has written is its text. Extra members come last in their objects.
//
// A state made by the caller is written as the newest OpenTofu writes a local
// file; [CanonicalFor] takes another release.
func Canonical(f *File) ([]byte, error) {
	if f == nil {
		return nil, &Error{Err: ErrAbsent}
	}
	return f.canonical(f.form(), wire.Form{Terraform: f.inTerraformOrder()})
}

// CanonicalFor is like [Canonical], but writes f as the given release writes a
// local file, whatever form it was read in. Members that the release does not
// know are kept: the caller decides on the content of a state.
func CanonicalFor(f *File, release planjson.Release) ([]byte, error) {
	if f == nil {
		return nil, &Error{Err: ErrAbsent}
	}
	return f.as(release).canonical(formOf(release), wire.Form{Terraform: release.Tool == addrs.Terraform, Asked: true})
}

// as returns a copy of f with the resources and objects in the order in which the tools write
// them. Releases since Terraform 0.13 read older spellings and write their own. A file that
// cannot be encoded stays.
func (f *File) as(release planjson.Release) *File {
	major, _, _, ok := release.Version.Numbers()
	old := ok && major == 0 && release.Tool == addrs.Terraform
	c := *f
	c.Resources = make([]*Resource, len(f.Resources))
	for i, r := range f.Resources {
		if r == nil || slices.Contains(r.Instances, nil) {
			return f
		}
		s := *r
		s.Instances = slices.SortedStableFunc(slices.Values(r.Instances), compareObjects)
		if !old {
			s.Each = ""
			for j, o := range s.Instances {
				s.Instances[j] = o.as(release.Tool)
			}
		}
		c.Resources[i] = &s
	}
	slices.SortStableFunc(c.Resources, compareText)
	if !old {
		c.quoteProviders(release.Tool)
	}
	return &c
}

// as returns an object with the members that a tool always writes, and without those that it
// writes only with others.
func (o *InstanceObject) as(tool addrs.Tool) *InstanceObject {
	c := *o
	if c.SensitiveAttributes == nil {
		c.SensitiveAttributes = planjson.Value("[]")
	}
	if tool == addrs.OpenTofu && c.Identity == nil && c.IdentitySchemaVersion != nil && *c.IdentitySchemaVersion == 0 {
		c.IdentitySchemaVersion = nil
	}
	return &c
}

func (f *File) canonical(l layout, form wire.Form) ([]byte, error) {
	var e wire.Encoder
	e.SetForm(form)
	text, err := e.Canonical(nil, fileTable, f)
	if err != nil {
		return nil, wireError(err)
	}
	var escaped bytes.Buffer // the tools pass on the attributes' text, but not its <, > and &
	json.HTMLEscape(&escaped, text)
	return l.lay(escaped.Bytes()), nil
}

// A layout is how a text is laid out.
type layout struct {
	indented bool
	end      string // after the last brace
}

// newestForm is the layout of local files of the newest OpenTofu release.
var newestForm = layout{indented: true, end: "\n\n"}

// formOf returns the layout of local files of a release.
func formOf(r planjson.Release) layout {
	if r.Tool == addrs.Terraform {
		return layout{indented: true, end: "\n"}
	}
	major, minor, _, ok := r.Version.Numbers()
	switch {
	case !r.Version.IsValid() || !ok:
		return newestForm
	case major == 1 && minor == 12:
		return newestForm
	case major == 1 && 8 <= minor && minor <= 11:
		return layout{end: "\n"}
	}
	return layout{indented: true, end: "\n"}
}

// form returns the layout of the text that f was decoded from.
func (f *File) form() layout {
	if f.src.Origin() != wire.Whole {
		return newestForm
	}
	text := f.src.Text()
	start := jsonscan.Space(text, 0)
	l := layout{indented: bytes.HasPrefix(text[min(start+1, len(text)):], []byte("\n")) || bytes.HasPrefix(text[min(start+1, len(text)):], []byte("\r\n"))}
	l.end = string(bytes.ReplaceAll(text[bytes.LastIndexByte(text, '}')+1:], []byte("\r"), nil))
	return l
}

// lay lays out a compact text.
func (l layout) lay(text []byte) []byte {
	var b bytes.Buffer
	if l.indented && json.Indent(&b, text, "", "  ") == nil {
		text = b.Bytes()
	}
	return append(text, l.end...)
}

// inTerraformOrder reports whether the members of f's objects are in Terraform's
// order, as far as the text tells the tools apart.
func (f *File) inTerraformOrder() bool {
	for _, r := range f.Resources {
		if r == nil {
			continue
		}
		for _, o := range r.Instances {
			if o == nil || o.IdentitySchemaVersion == nil {
				continue
			}
			if terraform, ok := o.src.TerraformOrder(instanceObjectTable); ok {
				return terraform
			}
			if o.Identity == nil {
				return true // OpenTofu writes no version without an identity
			}
		}
	}
	return false
}

// unmarshalDocument is the method UnmarshalJSON of a File.
func unmarshalDocument(text []byte, f *File) error {
	read, err := Decode(bytes.Clone(text))
	if err == nil {
		*f = *read
	}
	return err
}

// sortedNames returns the keys of m, sorted.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
