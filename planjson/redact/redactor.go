// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/tofuwire/tofuwire/planjson"
)

// A Redactor replaces secrets in documents, so that they can be stored and
// shown. The zero Redactor is ready to use. A Redactor is safe for concurrent use
// if its functions are.
type Redactor struct {
	// Rules add sensitive values to those that a document marks.
	Rules []Rule

	// Secrets are texts that must not occur anywhere except in the format's own words and
	// names, such as the action "delete". Empty ones are ignored.
	Secrets []string

	// Schemas tell which attributes are sensitive or write-only although the
	// document does not say so, and which constants are not sensitive. They also
	// distinguish objects from maps, whose keys can be secrets. Providers are matched as
	// documents of any release name them: by the type of the resource where a name says no
	// registry, and across the registries of both tools. If Schemas is set, all values of a
	// resource are hidden whose type no schema has, except those of the built-in
	// terraform_data and terraform_remote_state.
	Schemas *planjson.Schemas

	// RequireSchemas refuses a document that has resources whose types no schema has, with
	// an error that names the types and wraps [ErrNoSchema].
	RequireSchemas bool

	// Keep says which parts that the format cannot mark are kept.
	Keep Unmarked

	// Text is written in place of secrets. If empty, it is "(sensitive value)".
	Text string

	// OnlyMarked hides a sensitive text only where it is marked. Otherwise a
	// text that is sensitive anywhere is hidden wherever it occurs, even where
	// the configuration shows it on purpose, with the function nonsensitive.
	OnlyMarked bool

	// Plain says where plain sensitive texts are hidden: words, and the others that the
	// package documentation lists. It does not apply to Secrets.
	Plain Scope

	// MinSecret is the length in bytes from which a text at a sensitive place is
	// searched for elsewhere. If zero, it is 6. It does not apply to Secrets. A number of
	// fewer than six digits, also as a string, is not searched for, however small it is.
	MinSecret int

	// NoSpool forbids keeping a document from a reader that cannot be read twice, in
	// a temporary file or in memory. All values of such a document, and the keys of
	// its instances, are then hidden.
	NoSpool bool

	// Report is called for everything that is replaced, and for sensitive texts that
	// are kept because they are plain, and identities, in the order of the document. If
	// nil, it is not called.
	Report func(Entry)

	worked  *int // set to what was looked at, for a test
	windows bool // short documents are read as long ones are, for a test
}

// A Scope says where a plain text that the document marks as sensitive is hidden.
// Its values are [Places] and [Everywhere].
type Scope uint8

// The scopes.
const (
	Places     Scope = iota // at its marked places, and where it is the entire value of an attribute with the same name
	Everywhere              // wherever it occurs, like other texts
)

// Unmarked is a set of places that may hold secrets although the format cannot
// mark them. [Redactor.Keep] lists those to leave alone.
// Its values include [GeneratedConfig], [Details] and [ProviderConfig].
type Unmarked uint

// The places.
const (
	GeneratedConfig Unmarked = 1 << iota // the configuration text made for imports
	Details                              // messages of checks, conditions and diagnostics, with their source text and values
	ProviderConfig                       // constants in provider blocks, unless Schemas marks them as not sensitive
	Provisioners                         // constants in provisioner blocks
	Constants                            // constants of arguments that no schema and no instance in the document shows to be public
	SingleOutput                         // a single value, as output -json NAME prints it
	Extra                                // members that package planjson does not know, which can hold anything
	// RemoteStateOutputs are the outputs and defaults of terraform_remote_state. Its config is
	// always hidden, except the settings that name a place: backend, bucket, container_name,
	// storage_account_name, resource_group_name, key, prefix, path, workspace, workspaces,
	// workspace_dir, region, location, hostname, organization, schema_name, namespace,
	// secret_suffix, and host and address without user information and query. The tools mark
	// nothing of them. Texts that are hidden there are searched for elsewhere, unless the name
	// of the output says that they identify something, as vpc_id does.
	RemoteStateOutputs
	All Unmarked = 1<<iota - 1
)

// A Rule adds sensitive values to those that a document marks. A value is sensitive
// if every condition that is set holds. A rule without any condition covers
// everything.
type Rule struct {
	// Address is that of a resource instance, a resource with all its
	// instances, output.NAME or var.NAME. If empty, it is any. The resources of a
	// state that Terraform 0.12 printed have other addresses; see
	// [planjson.Resource.Address].
	Address string

	// Type is a resource type. If empty, it is any.
	Type string

	// Path is the path from the object to the value: names of attributes and
	// keys. The positions of elements are left out. "*" stands for any one name
	// and "**" for any number of them. Everything below is covered. If nil, it
	// is any.
	Path []string

	// Match is called for each string, number and bool, possibly more than
	// once. If nil, all match.
	Match func(at Place, v planjson.Value) bool
}

// A Place is where a value is.
type Place struct {
	Address string   // of the resource instance or the resource, or output.NAME or var.NAME
	Type    string   // of the resource
	Path    []string // as in [Rule]; valid during the call only
}

// Plan replaces the secrets in p and returns the number of values replaced. If it
// returns an error, p is unchanged. Objects taken from p before the call keep their
// secrets. A nil document contains no secrets.
func (r Redactor) Plan(p *planjson.Plan) (int, error) {
	return memory(r, typePlan, p, planjson.DecodePlan, func(x *planjson.Plan) { *p = *x })
}

// State replaces the secrets in s. See [Redactor.Plan].
func (r Redactor) State(s *planjson.State) (int, error) {
	return memory(r, typeState, s, planjson.DecodeState, func(x *planjson.State) { *s = *x })
}

// Config replaces the secrets that c alone reveals. See [Redactor.Plan].
func (r Redactor) Config(c *planjson.Config) (int, error) {
	return memory(r, typeConfig, c, planjson.DecodeConfig, func(x *planjson.Config) { *c = *x })
}

// Outputs replaces the secrets in o. See [Redactor.Plan].
func (r Redactor) Outputs(o *planjson.Outputs) (int, error) {
	return memory(r, typeOutputs, o, planjson.DecodeOutputs, func(x *planjson.Outputs) { *o = *x })
}

// RendererPlan replaces the secrets in p. See [Redactor.Plan].
func (r Redactor) RendererPlan(p *planjson.RendererPlan) (int, error) {
	return memory(r, typeRendererPlan, p, planjson.DecodeRendererPlan, func(x *planjson.RendererPlan) { *p = *x })
}

// RendererState replaces the secrets in s. See [Redactor.Plan].
func (r Redactor) RendererState(s *planjson.RendererState) (int, error) {
	return memory(r, typeRendererState, s, planjson.DecodeRendererState, func(x *planjson.RendererState) { *s = *x })
}

// Validate replaces the secrets in the diagnostics of v. See [Redactor.Plan].
func (r Redactor) Validate(v *planjson.Validate) (int, error) {
	return memory(r, typeValidate, v, planjson.DecodeValidate, func(x *planjson.Validate) { *v = *x })
}

// StateShow replaces the secrets in s. See [Redactor.Plan].
func (r Redactor) StateShow(s *planjson.StateShow) (int, error) {
	return memory(r, typeStateShow, s, planjson.DecodeStateShow, func(x *planjson.StateShow) { *s = *x })
}

// Document replaces the secrets in any document of package planjson, such as one that
// [planjson.Decode] returns. See [Redactor.Plan]. Schemas, functions, versions, modules and
// workspaces have no marks: in those, only Secrets are replaced.
func (r Redactor) Document(doc planjson.Object) (int, error) {
	switch d := doc.(type) {
	case nil:
		return 0, nil
	case *planjson.Plan:
		return r.Plan(d)
	case *planjson.State:
		return r.State(d)
	case *planjson.Config:
		return r.Config(d)
	case *planjson.Outputs:
		return r.Outputs(d)
	case *planjson.RendererPlan:
		return r.RendererPlan(d)
	case *planjson.RendererState:
		return r.RendererState(d)
	case *planjson.Validate:
		return r.Validate(d)
	case *planjson.StateShow:
		return r.StateShow(d)
	case *planjson.Schemas:
		return unmarked(r, d, planjson.DecodeSchemas, func(x *planjson.Schemas) { *d = *x })
	case *planjson.Functions:
		return unmarked(r, d, planjson.DecodeFunctions, func(x *planjson.Functions) { *d = *x })
	case *planjson.Version:
		return unmarked(r, d, planjson.DecodeVersion, func(x *planjson.Version) { *d = *x })
	case *planjson.Modules:
		return unmarked(r, d, planjson.DecodeModules, func(x *planjson.Modules) { *d = *x })
	case *planjson.Workspaces:
		return unmarked(r, d, planjson.DecodeWorkspaces, func(x *planjson.Workspaces) { *d = *x })
	}
	return 0, &planjson.Error{Err: fmt.Errorf("%w: %T is not a document", planjson.ErrKind, doc)}
}

// unmarked redacts a document that marks nothing.
func unmarked[D planjson.Document](r Redactor, doc D, decode func([]byte) (D, error), set func(D)) (int, error) {
	if doc == *new(D) {
		return 0, nil
	}
	src, err := planjson.Encode(doc)
	if err != nil {
		return 0, err
	}
	n, names := 0, newRenames(&r)
	out := names.secrets.ReplaceInJSON(nil, src, names.token, func(name string) string { return name }, func() { n++ })
	if n == 0 {
		return 0, nil
	}
	redacted, err := decode(out)
	if err != nil {
		return 0, err
	}
	set(redacted)
	return n, nil
}

// memory redacts a document that has been decoded: as text, like a document
// from a reader. It calls set with the result.
func memory[D planjson.Document](r Redactor, t typeID, doc D, decode func([]byte) (D, error), set func(D)) (int, error) {
	if doc == *new(D) {
		return 0, nil
	}
	src, err := planjson.Encode(doc)
	if err != nil {
		return 0, err
	}
	n, out, err := r.run(t, false, nil, func() (io.Reader, []byte, error) { return nil, src, nil })
	if err != nil {
		return 0, err
	}
	if bytes.Equal(out, src) {
		return n, nil
	}
	redacted, err := decode(out)
	if err != nil {
		return 0, err
	}
	set(redacted)
	return n, nil
}

// KnownSecrets returns the texts that are secret in p, sorted, each once: Secrets, and the
// texts at sensitive places that are searched for everywhere. Plain texts are included only
// if Plain is [Everywhere], and texts of less than six bytes only with a smaller MinSecret.
// Numbers of fewer than six digits, also as strings, are never included: list these in
// Secrets. Use the result to redact the log of the plan's run; see RemoveSecretsFromText in
// package uijson.
func (r Redactor) KnownSecrets(p *planjson.Plan) ([]string, error) {
	if p == nil {
		return sortedTexts(r.Secrets), nil
	}
	src, err := planjson.Encode(p)
	if err != nil {
		return nil, err
	}
	e := newEngine(&r, typePlan, false)
	if err := e.look(typePlan, func() (io.Reader, []byte, error) { return nil, src, nil }); err != nil {
		return nil, err
	}
	if r.worked != nil {
		*r.worked = e.work
	}
	return sortedTexts(e.knownSecrets()), nil
}

// sortedTexts returns a sorted list of texts without equal and empty ones.
func sortedTexts(texts []string) []string {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(texts) > 0 && texts[0] == "" {
		texts = texts[1:]
	}
	return texts
}

// WritePlan copies the plan that src holds to w with its secrets replaced, and
// returns the number of values replaced. The result is that of [Redactor.Plan].
// Memory grows with the largest resource, the configuration and the number of
// sensitive values, not with the plan.
//
// Marks are spread over the whole plan, so src is read more than once. If it is
// not an [io.Seeker] that works, it is copied to a temporary file first, which
// only the user can read, and which has no name where the system allows that; see
// [Redactor.NoSpool]. A short document, of 1 MiB or as a file of 4 MiB, is kept
// in memory instead.
//
// An error of src or w is returned unchanged; any other is a [*planjson.Error] with
// its place in the stream. A document of a major version that is not supported or that
// has no version, such as what output -json prints, is refused with
// [planjson.ErrVersion], and one of another kind, such as a state, with
// [planjson.ErrKind]. If a document is refused, does not decode or has duplicate
// members, nothing of it has been written or, with NoSpool, nothing secret.
func (r Redactor) WritePlan(w io.Writer, src io.Reader) (int, error) {
	return r.stream(typePlan, w, src)
}

// WriteState copies the state that src holds to w with its secrets replaced. See
// [Redactor.WritePlan].
func (r Redactor) WriteState(w io.Writer, src io.Reader) (int, error) {
	return r.stream(typeState, w, src)
}
