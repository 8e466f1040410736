// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tofuwire/tofuwire/cmd/internal/encryption"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// decrypt is the command decrypt.
func decrypt(c *call) error {
	text, err := c.read(c.args[0])
	if err == nil {
		text, err = c.clear(text)
	}
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(text)
	return err
}

// errNoKeys is the error for an encrypted text without an option that opens it.
var errNoKeys = errors.New("the file is encrypted; open it with -passphrase-file or -config")

// clear returns a state or a plan in clear, with the options' keys.
func (c *call) clear(text []byte) ([]byte, error) {
	var err error
	switch {
	case c.config != "" && c.passphrase != "":
		err = errors.New("-passphrase-file and -config cannot be combined")
	case c.config != "":
		var e statefile.Encryption
		if e, err = c.encryption(text); err == nil {
			text, err = e.Decrypt(context.Background(), text)
		}
	case c.passphrase != "":
		var passphrase string
		if passphrase, err = c.readPassphrase(); err == nil {
			text, err = statefile.Decrypt(context.Background(), text, passphrase)
		}
	default:
		err = errNoKeys
	}
	if err != nil {
		return nil, unreadable(fmt.Errorf("%s: %w", c.args[0], err))
	}
	return text, nil
}

// encrypt is the command encrypt.
func encrypt(c *call) error {
	text, err := c.read(c.args[0])
	if err != nil {
		return err
	}
	switch {
	case c.config != "" && c.passphrase != "":
		err = errors.New("-passphrase-file and -config cannot be combined")
	case c.config != "":
		var e statefile.Encryption
		if e, err = c.encryption(text); err == nil {
			text, err = e.Encrypt(context.Background(), text)
		}
	case c.passphrase != "":
		var passphrase string
		if passphrase, err = c.readPassphrase(); err == nil {
			text, err = statefile.Encrypt(context.Background(), text, passphrase)
		}
	default:
		err = errors.New("encryption needs -passphrase-file or -config")
	}
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", c.args[0], err))
	}
	_, err = c.stdout.Write(text)
	return err
}

// readPassphrase returns the content of the passphrase's file, without one final LF or
// CRLF.
func (c *call) readPassphrase() (string, error) {
	text, err := c.read(c.passphrase)
	if err != nil {
		return "", err
	}
	if line, ok := bytes.CutSuffix(text, []byte("\n")); ok {
		text = bytes.TrimSuffix(line, []byte("\r"))
	}
	return string(text), nil
}

// encryption reads the file of -config and returns what it says of text: of states, or
// of plans.
func (c *call) encryption(text []byte) (statefile.Encryption, error) {
	src, err := c.read(c.config)
	if err != nil {
		return statefile.Encryption{}, err
	}
	e, err := encryption.Parse(src, isPlan(text))
	if err != nil {
		return e, fmt.Errorf("%s: %w", c.config, err)
	}
	return e, nil
}

// isPlan reports whether text is a saved plan, encrypted or not: an encrypted state has
// a serial or a lineage.
func isPlan(text []byte) bool {
	switch planjson.KindOf(text) {
	case planjson.DocumentPlanFile:
		return true
	case planjson.DocumentEncrypted:
		v := planjson.Value(text)
		return v.Member("serial") == nil && v.Member("lineage") == nil
	}
	return false
}
