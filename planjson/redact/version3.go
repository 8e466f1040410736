// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// text3 returns the text of version 3 that f was decoded from, or nil.
func text3(f *statefile.File) planjson.Value {
	text, err := statefile.Encode(f)
	if err == nil && bytes.HasPrefix(text, []byte("\x1f\x8b")) { // it was compressed, and Decode has bounded its size
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, err = io.ReadAll(z)
		}
	}
	if err != nil || string(planjson.Value(text).Member("version")) != "3" {
		return nil
	}
	return text
}

// older adds the marked outputs of child modules, which only version 3 has, so that copies
// of their values are hidden. They themselves go with all that version 4 does not have.
func (s *stateFile) older(outputs map[string]*planjson.Output) {
	for i, m := range s.text3.Member("modules").Elements() {
		if m.Member("path").Len() < 2 {
			continue
		}
		for name, o := range m.Member("outputs").Members() {
			if string(o.Member("sensitive")) != "true" {
				continue
			}
			id := fmt.Sprintf("module.%d.%s", i, name) // no other output has a dot in its name
			outputs[id] = &planjson.Output{Sensitive: true, Value: o.Member("value"), Type: planjson.Value(`"dynamic"`)}
			s.places["/values/outputs/"+id] = fmt.Sprintf("/modules/%d/outputs/%s", i, name)
		}
	}
}
