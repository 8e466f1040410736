// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

// caseFolder in a text of TF_ENCRYPTION stands for the folder of the case, where the
// external programs lie.
const caseFolder = "{case}"

// encryption returns the text of TF_ENCRYPTION that a file of a case has.
func encryption(root string, s *Script, name string) (string, error) {
	folder, err := filepath.Abs(filepath.Join(root, "tools", "record", "cases", filepath.FromSlash(s.Case)))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	return strings.ReplaceAll(string(text), caseFolder, filepath.ToSlash(folder)), err
}

// A document is something of an encrypted recording that is compared by itself.
type document struct {
	name string // "" for the envelope
	text []byte
	json bool
}

// opened are the encrypted texts that have been opened, by the text and the text of
// TF_ENCRYPTION: the keys take their time.
type opened map[[2]string]func() ([]document, error)

// open calls the function of that name once for each text.
func (o opened) open(config string, src []byte) ([]document, error) {
	key := [2]string{config, string(src)}
	if o[key] == nil {
		docs, err := open(config, src)
		o[key] = func() ([]document, error) { return docs, err }
	}
	return o[key]()
}

// open takes an encrypted state or plan apart, into what is the same in every run but for
// what [Places] and [MadeUp] have: the envelope without salts and data, and what is in
// it. Config is the text of TF_ENCRYPTION.
func open(config string, src []byte) ([]document, error) {
	if kind := planjson.KindOf(src); kind != planjson.DocumentEncrypted {
		return nil, fmt.Errorf("it is not encrypted, but %q", kind)
	}
	envelope, err := unsalted(src)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "encryption.hcl")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	var plain, said bytes.Buffer
	if status := tofuwire.Run([]string{"state", "decrypt", "-config", file, "-"}, bytes.NewReader(src), &plain, &said); status != 0 {
		return nil, fmt.Errorf("it cannot be decrypted: %s", bytes.TrimSpace(said.Bytes()))
	}
	docs := []document{{text: envelope, json: true}}
	if planjson.KindOf(plain.Bytes()) != planjson.DocumentPlanFile {
		return append(docs, document{"state", plain.Bytes(), true}), nil
	}
	entries, err := planEntries(plain.Bytes())
	return append(docs, entries...), err
}

// unsalted returns an envelope whose metadata is in clear, with the lengths of the salts
// in their places, and without the data.
func unsalted(src []byte) ([]byte, error) {
	var envelope struct {
		Meta map[string][]byte `json:"meta"`
		Data json.RawMessage   `json:"encrypted_data"`
	}
	if err := json.Unmarshal(src, &envelope); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(envelope.Meta)) {
		text := envelope.Meta[name]
		var meta struct {
			Salt []byte `json:"salt"`
		}
		if err := json.Unmarshal(text, &meta); err != nil {
			return nil, fmt.Errorf("the metadata of %s: %w", name, err)
		}
		kept, err := json.Marshal(meta.Salt)
		if err != nil {
			return nil, err
		}
		clear := bytes.Replace(text, append([]byte(`"salt":`), kept...), fmt.Appendf(nil, `"salt":"%d bytes"`, len(meta.Salt)), 1)
		stored, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		src = bytes.Replace(src, stored, clear, 1)
	}
	return bytes.Replace(src, envelope.Data, []byte("null"), 1), nil
}

// planEntries returns the files of a saved plan. Of those of the tool's protocol, which
// have times and identifiers, it returns the length.
func planEntries(src []byte) ([]document, error) {
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil, err
	}
	var docs []document
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err = closed(r, err); err != nil {
			return nil, err
		}
		switch {
		case f.Name == "tfplan":
			text = fmt.Appendf(nil, "%d bytes", len(text))
		case path.Base(f.Name) != f.Name: // the configuration, as it is written
		case strings.HasPrefix(f.Name, "tfstate"):
			docs = append(docs, document{f.Name, text, true})
			continue
		}
		docs = append(docs, document{f.Name, text, false})
	}
	return docs, nil
}

// closed closes what was read, and returns the first error.
func closed(c io.Closer, err error) error {
	if failed := c.Close(); err == nil {
		err = failed
	}
	return err
}

// splitEncrypted pairs what is in two encrypted recordings. One that cannot be opened, or
// has other files in it, is compared as it is with the reason.
func splitEncrypted(p Pair, l learned, o opened, unordered []string) []part {
	old, err := o.open(p.Encryption, p.Old)
	if err != nil {
		return []part{{name: p.File, old: fmt.Appendf(nil, "the recording: %v", err), new: p.New}}
	}
	made, err := o.open(p.Encryption, p.New)
	if err != nil {
		return []part{{name: p.File, old: p.Old, new: fmt.Appendf(nil, "what was made: %v", err)}}
	}
	var parts []part
	for i := range max(len(old), len(made)) {
		var a, b document
		if i < len(old) {
			a = old[i]
		}
		if i < len(made) {
			b = made[i]
		}
		at := p.File
		if name := a.name; name != "" {
			at += ": " + name
		}
		if a.name != b.name {
			return append(parts, part{name: at, old: []byte(a.name), new: []byte(b.name)})
		}
		if a.json {
			a.text = sortLists([]byte(l.apply(string(a.text))), unordered)
			b.text = sortLists(b.text, unordered)
		}
		parts = append(parts, part{name: at, old: a.text, new: b.text, json: a.json})
	}
	return parts
}
