// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// lockInfo prints the lock documents of a file, each in a line.
func lockInfo(c *call) error {
	src, err := planfile.Source(c.args[0], c.stdin)
	if err != nil {
		return unreadable(err)
	}
	found := locks(src)
	if len(found) == 0 {
		return no("%s: there is no lock document", c.args[0])
	}
	for _, l := range found {
		if _, err := fmt.Fprintln(c.stdout, l.Line()); err != nil {
			return err
		}
	}
	return nil
}

// locks returns the lock documents in a text: JSON, YAML, or text with the JSON in it.
func locks(src []byte) []*statefile.LockInfo {
	if found := statefile.FindLockInfo(src); len(found) > 0 || json.Valid(src) {
		return found
	}
	var found []*statefile.LockInfo
	for d := yaml.NewDecoder(bytes.NewReader(src)); ; {
		var v any
		err := d.Decode(&v)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				found = nil
			}
			break
		}
		if text, err := json.Marshal(v); err == nil {
			found = append(found, statefile.FindLockInfo(text)...)
		}
	}
	for rest := src; len(found) == 0; {
		i := bytes.Index(rest, []byte(`{"ID":`))
		if i < 0 {
			break
		}
		rest = rest[i:]
		var one json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&one) == nil {
			found = statefile.FindLockInfo(one)
		}
		rest = rest[1:]
	}
	return found
}
