// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Document is a pointer to a type of this package that is a whole document: *[File],
// *[LockInfo], *[Backend], *[InstalledModules] or *[Envelope]. Other packages cannot
// implement it.
type Document interface {
	Object
	layout() layout // of one that the caller has made
}

// A LockInfo is the document of a state's lock: who holds it, and why. It is the content of
// the file .terraform.tfstate.lock.info, or of an object in a bucket whose name ends in
// .tflock. In other stores it is part of another document; see [FindLockInfo].
//
// Source: OpenTofu internal/states/statemgr/locker.go.
type LockInfo struct {
	// ID identifies the lock; it is the argument of "force-unlock". Always present.
	ID string `json:"ID"`

	// Operation is the operation that holds the lock, such as OperationTypeApply. Always
	// present.
	Operation string `json:"Operation"`

	// Info has further information, and is usually empty. Always present.
	Info string `json:"Info"`

	// Who is user@host of the process. Always present.
	Who string `json:"Who"`

	// Version is the version of the tool. Always present.
	Version string `json:"Version"`

	// Created is the time when the lock was taken, by RFC 3339 with up to nine digits of
	// a second. Always present.
	Created string `json:"Created"`

	// Path is the location of the state, if the store records it. Always present.
	Path string `json:"Path"`

	src wire.Source
}

// A Backend is the file .terraform/terraform.tfstate: the settings with which "init" has
// initialized the backend. They can hold credentials in clear text. It is not a state,
// although it has the name and the version of one.
//
// Source: OpenTofu internal/command/clistate.
type Backend struct {
	// Version is that of the form, 3. Always present.
	Version int `json:"version"`

	// Serial and Lineage come from the time when the file was a state. Older releases
	// write them.
	Serial  *uint64 `json:"serial,omitempty"`
	Lineage string  `json:"lineage,omitempty"`

	// TerraformVersion is the release of Terraform that wrote the file. Absent in files
	// of OpenTofu.
	TerraformVersion string `json:"terraform_version,omitempty"`

	// Backend has the settings. Absent if there is no backend.
	Backend *BackendSettings `json:"backend,omitempty"`

	src wire.Source
}

// A BackendSettings is a backend as "init" has initialized it.
type BackendSettings struct {
	// Type is the type of the backend, such as s3. Always present.
	Type string `json:"type"`

	// Config has all arguments of the backend, null for those that are not set. It
	// includes those of -backend-config, but not what the environment provides. Always
	// present.
	Config planjson.Value `json:"config" wire:"document"`

	// Hash is a checksum of the block in the configuration. Always present.
	Hash uint64 `json:"hash"`

	src wire.Source
}

// An InstalledModules is the file .terraform/modules/modules.json: where "init" has put the
// modules that the configuration calls. It may contain calls that are no longer in the
// configuration.
//
// Source: OpenTofu internal/modsdir/manifest.go.
type InstalledModules struct {
	// Modules lists the calls, by Key; the root module has the key "". Always present.
	Modules []*InstalledModule `json:"Modules"`

	src wire.Source
}

// An InstalledModule is a module call with the folder of its module.
type InstalledModule struct {
	// Key is the path of the call: names joined by dots. Always present.
	Key string `json:"Key"`

	// Source is the source address in normal form, "" for the root module. Always
	// present.
	Source string `json:"Source"`

	// Version is the version that was installed. Absent for a module that is not from a
	// registry.
	Version string `json:"Version,omitempty"`

	// Dir is the folder, relative to that of the root module. Always present.
	Dir string `json:"Dir"`

	src wire.Source
}

// An Envelope is the JSON document of an encrypted state or saved plan, which contains
// the encrypted part. [Decrypt] opens it.
//
// Source: OpenTofu internal/encryption.
type Envelope struct {
	// Serial and Lineage are those of the state inside, in clear text. Absent around a
	// plan.
	Serial  *uint64 `json:"serial,omitempty"`
	Lineage *string `json:"lineage,omitempty"`

	// Meta has what each key provider has stored, in base64, by its name, such as
	// key_provider.pbkdf2.main, or its alias; see [Envelope.Metadata]. Always present.
	Meta map[string]string `json:"meta"`

	// EncryptedData is the encrypted text, in base64. Always present.
	EncryptedData string `json:"encrypted_data"`

	// EncryptionVersion is the version of this form, v0. Always present.
	EncryptionVersion string `json:"encryption_version"`

	src wire.Source
}

// Metadata returns the JSON text that a key provider has stored: for pbkdf2 an object with
// salt, iterations, hash_function and key_length. It is an error that wraps [ErrAbsent] if
// there is none under that name, and [ErrInvalid] if it is not base64 of JSON.
func (e *Envelope) Metadata(provider string) (planjson.Value, error) {
	if e == nil || e.Meta[provider] == "" {
		return nil, &Error{Err: fmt.Errorf("%w: the envelope has no metadata of %q", ErrAbsent, short(provider))}
	}
	text, err := base64.StdEncoding.DecodeString(e.Meta[provider])
	if err != nil || !jsonscan.Valid(text) {
		return nil, &Error{Pointer: placeOf(nil, "meta", provider).Pointer, Err: fmt.Errorf("%w: the metadata is not JSON in base64", ErrInvalid)}
	}
	return text, nil
}

func (*File) layout() layout             { return newestForm }
func (*LockInfo) layout() layout         { return layout{} }
func (*Backend) layout() layout          { return layout{indented: true, end: "\n"} }
func (*InstalledModules) layout() layout { return layout{} }

func (e *Envelope) layout() layout {
	if e.Serial == nil && e.Lineage == nil { // of a plan
		return layout{}
	}
	return layout{indented: true, end: "\n"}
}

// DecodeLockInfo decodes the document of a lock. Like the other functions of this kind, it
// returns an [*Error] with its place, which wraps [ErrKind] if src is another document or a
// member has another kind than its field, and [ErrEmpty] if there is no text. The result
// refers to src, which must not be changed afterwards.
func DecodeLockInfo(src []byte) (*LockInfo, error) {
	return document(src, planjson.DocumentLockInfo, new(LockInfo))
}

// DecodeBackend decodes the file .terraform/terraform.tfstate. See [DecodeLockInfo].
func DecodeBackend(src []byte) (*Backend, error) {
	b, err := document(src, planjson.DocumentBackend, new(Backend))
	if err == nil && b.Version != 3 {
		at := placeOf(src, "version")
		at.Err = fmt.Errorf("%w: %d, not 3", ErrVersion, b.Version)
		return nil, at
	}
	return b, err
}

// DecodeInstalledModules decodes the file .terraform/modules/modules.json. See [DecodeLockInfo].
func DecodeInstalledModules(src []byte) (*InstalledModules, error) {
	return document(src, planjson.DocumentInstalledModules, new(InstalledModules))
}

// DecodeEnvelope decodes an encrypted state or saved plan, without its key. See [DecodeLockInfo].
func DecodeEnvelope(src []byte) (*Envelope, error) {
	return document(src, planjson.DocumentEncrypted, new(Envelope))
}

// document decodes src into doc.
func document[D Document](src []byte, kind planjson.DocumentKind, doc D) (none D, err error) {
	if len(src) == 0 {
		return none, &Error{Line: 1, Column: 1, Err: ErrEmpty}
	}
	d := wire.BorrowDecoder()
	_, table := about(doc)
	if err := d.Decode(src, table, doc); err != nil {
		return none, wireError(err)
	}
	d.Return()
	if is := planjson.KindOf(src); is != kind && !isBareBackend(doc, is) {
		if is == "" {
			return none, &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text is not a document of the kind %s", ErrKind, kind)}
		}
		return none, &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text is a document of the kind %s, not %s", ErrKind, is, kind)}
	}
	return doc, nil
}

// isBareBackend reports whether a document that looks like a state has the settings of no
// backend, as "init -migrate-state" leaves it when a backend goes.
func isBareBackend(doc Document, is planjson.DocumentKind) bool {
	b, ok := doc.(*Backend)
	if !ok || is != planjson.DocumentStateFile && is != "" || b.Version != 3 {
		return false
	}
	for name, v := range Extra(b) {
		if name != "modules" {
			return false
		}
		for _, m := range v.Elements() {
			for _, part := range []string{"resources", "outputs"} {
				for range m.Member(part).Members() {
					return false
				}
			}
		}
	}
	return true
}

// lockAnnotation and lockMetadata are the names under which a Kubernetes Lease and a blob of
// Azure have the document of a lock.
const (
	lockAnnotation = "app.terraform.io/lock-info"
	lockMetadata   = "terraformlockid"
)

// FindLockInfo returns the lock documents in src, in the form of any store: the document
// itself, as in a local file, an object .tflock or the body of a backend http; an item of
// DynamoDB or Tablestore with the member Info; the metadata of a blob of Azure; the annotation
// of a Kubernetes Lease; or the value of a key of Consul. All but the first may be inside
// other JSON, as the command lines of the stores print it. The result is empty if src is not
// JSON, or contains no lock, such as an item with only the digest of a state. Snapshots of a
// blob are ignored, because their locks are old.
func FindLockInfo(src []byte) []*LockInfo {
	src = []byte(strings.TrimPrefix(string(src), "\ufeff"))
	if end, fault := jsonscan.Document(src); fault != jsonscan.OK {
		_ = end
		return nil
	}
	var found []*LockInfo
	findLocks(src, true, 0, &found)
	return found
}

// maxLockDepth is how deep in JSON, or in texts of JSON, a lock document is looked for.
const maxLockDepth = 16

// findLocks looks for lock documents in a value. The strings of arrays and members that a store
// uses for them are looked into.
func findLocks(v planjson.Value, named bool, depth int, found *[]*LockInfo) {
	if depth > maxLockDepth {
		return
	}
	switch v.Kind() {
	case planjson.KindObject:
		if info, err := DecodeLockInfo(v); err == nil {
			*found = append(*found, info)
			return
		}
		if at, ok := v.Member("snapshot").Text(); ok && at != "" {
			return
		}
		for name, part := range v.Members() {
			findLocks(part, isLockName(name), depth+1, found)
		}
	case planjson.KindArray:
		for _, part := range v.Elements() {
			findLocks(part, named, depth+1, found)
		}
	case planjson.KindString:
		text, _ := v.Text()
		if !named {
			return
		}
		if inner, ok := lockText(text); ok {
			findLocks(inner, true, depth+1, found)
		}
	}
}

// isLockName reports whether a member of this name can have a lock document as text.
func isLockName(name string) bool {
	switch strings.ToLower(strings.TrimPrefix(strings.ToLower(name), "x-ms-meta-")) {
	case lockAnnotation, lockMetadata, "info", "s", "value", "stringvalue":
		return true
	}
	return false
}

// lockText returns the JSON in a text, which may be in base64.
func lockText(text string) (planjson.Value, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		plain, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !utf8.Valid(plain) {
			return nil, false
		}
		text = strings.TrimSpace(string(plain))
	}
	return planjson.Value(text), strings.HasPrefix(text, "{") && jsonscan.Valid([]byte(text))
}

// Line returns the document as the tools write it, in one line: the known members in their
// order.
func (l *LockInfo) Line() string {
	if l == nil {
		return ""
	}
	text, err := json.Marshal(struct{ ID, Operation, Info, Who, Version, Created, Path string }{l.ID, l.Operation, l.Info, l.Who, l.Version, l.Created, l.Path})
	if err != nil { // strings have none
		return ""
	}
	return string(text)
}

// An Environment is the file .terraform/environment, which has nothing but the name of the
// workspace that "workspace select" has selected.
type Environment struct {
	// Workspace is the name, "default" if the file is empty.
	Workspace string

	text []byte
	was  string
}

// DecodeEnvironment reads the text of the file. White space around the name does not count.
// The error wraps [ErrInvalid] if the name has a control character, such as a line feed, or is not UTF-8.
func DecodeEnvironment(src []byte) (*Environment, error) {
	name := strings.TrimSpace(string(src))
	if at := strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }); at >= 0 {
		at += bytes.Index(src, []byte(name))
		line, column := jsonscan.Position(src, at)
		return nil, &Error{Offset: int64(at), Line: line, Column: column, Err: fmt.Errorf("%w: the text is not the name of a workspace", ErrInvalid)}
	}
	if name == "" {
		name = "default"
	}
	return &Environment{Workspace: name, text: bytes.Clone(src), was: name}, nil
}

// Bytes returns the text of the file: what was read, with the name in it replaced if it was changed.
func (e *Environment) Bytes() []byte {
	switch {
	case e == nil:
		return nil
	case e.Workspace == e.was && e.text != nil:
		return []byte(string(e.text))
	}
	text := string(e.text)
	name := strings.TrimSpace(text)
	before, after, _ := strings.Cut(text, name)
	return []byte(before + e.Workspace + after)
}
