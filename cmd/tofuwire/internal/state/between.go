// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A stored state is a file with a state, and how it is encrypted.
type stored struct {
	name string
	text []byte // of the file; empty if there is none
	file *statefile.File

	encryption *statefile.Encryption // nil if the file is in clear
}

// moveBetween is the command mv with -to.
func moveBetween(c *call) error {
	if len(c.args) == 2 {
		c.args = append(c.args, c.args[1])
	}
	tool := addrs.OpenTofu
	if c.tool == "terraform" {
		tool = addrs.Terraform
	}
	from, err := c.stored(c.args[0])
	if err != nil {
		return err
	}
	to, err := c.destination(from)
	if err != nil {
		return err
	}
	source, err := target(c.args[1])
	if err != nil {
		return err
	}
	destination, err := target(c.args[2])
	if err != nil {
		return err
	}
	if err := from.file.MoveTo(to.file, source, destination); err != nil {
		return refused(err)
	}
	var files []statefile.Replacement
	for _, s := range []*stored{to, from} { // whatever happens in between, no object is lost
		if tool == addrs.Terraform {
			forTerraform(s.file)
		}
		text, err := s.encode(planjson.Release{Tool: tool})
		if err != nil {
			return no("%s: %w", s.name, err)
		}
		files = append(files, statefile.Replacement{Name: s.name, Old: s.text, New: text})
	}
	if err := statefile.ReplaceFiles(context.Background(), "state-mv", files...); err != nil {
		return no("%w", err)
	}
	return nil
}

// stored reads a state that is to be written as it was found, encrypted or not.
func (c *call) stored(name string) (*stored, error) {
	s := &stored{name: name}
	var err error
	if s.text, err = os.ReadFile(name); err != nil {
		return nil, unreadable(err)
	}
	plain := bytes.Clone(s.text)
	if planjson.KindOf(plain) == planjson.DocumentEncrypted {
		e, err := c.keys(plain)
		if err == nil {
			plain, err = e.Decrypt(context.Background(), plain)
		}
		if err != nil {
			return nil, unreadable(fmt.Errorf("%s: %w", name, err))
		}
		s.encryption = &e
	}
	s.file, err = decode(name, plain)
	return s, err
}

// keys returns the encryption of the options, for an encrypted text.
func (c *call) keys(text []byte) (e statefile.Encryption, err error) {
	switch {
	case c.config != "" && c.passphrase != "":
		return e, errors.New("-passphrase-file and -config cannot be combined")
	case c.config != "":
		return c.encryption(text)
	case c.passphrase != "":
		passphrase, err := c.readPassphrase()
		if err != nil {
			return e, err
		}
		return statefile.EncryptionOf(context.Background(), text, passphrase)
	}
	return e, errNoKeys
}

// destination reads the state that the object goes to, or makes one like the other.
func (c *call) destination(from *stored) (*stored, error) {
	a, err := os.Stat(from.name)
	if err != nil {
		return nil, unreadable(err)
	}
	b, err := os.Stat(c.to)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew, err == nil && b.Mode().IsRegular() && b.Size() == 0:
		return &stored{name: c.to, file: statefile.New(from.file.TerraformVersion), encryption: from.encryption}, nil
	case err != nil:
		return nil, unreadable(err)
	case os.SameFile(a, b):
		return nil, unreadable(fmt.Errorf("%s and %s are the same file", from.name, c.to))
	}
	return c.stored(c.to)
}

// forTerraform removes the members of objects that Terraform drops, because it writes a state anew
// from what it knows: those of OpenTofu alone and, in a state of a release before 1.12, identities.
func forTerraform(f *statefile.File) {
	version, _ := addrs.ParseVersion(f.TerraformVersion)
	major, minor, _, ok := version.Numbers()
	identities := ok && (major > 1 || major == 1 && minor >= 12)
	for _, r := range f.Resources {
		if r == nil {
			continue
		}
		for _, o := range r.Instances {
			if o == nil {
				continue
			}
			o.DependsOn, o.SkipDestroy = nil, false
			if !identities {
				o.Identity, o.IdentitySchemaVersion = nil, nil
			}
		}
	}
}

// encode returns the text of the changed state, as a release writes it.
func (s *stored) encode(release planjson.Release) ([]byte, error) {
	text, err := statefile.CanonicalFor(s.file, release)
	if err == nil && s.encryption != nil {
		text, err = s.encryption.Encrypt(context.Background(), text)
	}
	return text, err
}
