// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/lazy"
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
	if len(found) == 0 {
		found = inText(src)
	}
	return found
}

// lockTexts match lock documents in a text: objects that have no others in them and whose first
// member is ID, as all tools write them, and those in base64.
var lockTexts = lazy.Regexp(`\{\s*"ID"\s*:\s*` + quoted + `(?:\s*,\s*` + quoted + `\s*:\s*` + quoted + `)*\s*\}|\beyJJRCI6[A-Za-z0-9+/]+=*`)

const quoted = `"(?:[^"\\]|\\.)*"`

// snapshots match the parts of a list of blobs that are copies from earlier, with the metadata of
// their time.
var snapshots = lazy.Regexp(`(?s)<Blob>\s*<Name[^<]*</Name>\s*<Snapshot>.*?</Blob>`)

// inText returns the lock documents in a text of any kind, as they are or in base64: the headers
// and the XML in which Azure has the metadata of blobs, the output of "consul kv get -detailed".
func inText(src []byte) (found []*statefile.LockInfo) {
	for _, text := range lockTexts().FindAll(snapshots().ReplaceAll(src, nil), -1) {
		if text[0] != '{' {
			plain, err := base64.StdEncoding.DecodeString(string(text))
			if err != nil {
				continue
			}
			text = plain
		}
		found = append(found, statefile.FindLockInfo(text)...)
	}
	return found
}
