// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllinttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// jsonWants reads the properties "//" of all objects of a file in JSON syntax.
func jsonWants(f *hclconfig.File) ([]*want, error) {
	src := f.Bytes()
	r := objectReader{d: json.NewDecoder(bytes.NewReader(src)), f: f}
	for {
		switch err := r.next(); err {
		case nil:
		case io.EOF:
			return r.out, nil
		default:
			return r.out, err
		}
	}
}

// An objectReader reads the tokens of a JSON text.
type objectReader struct {
	d     *json.Decoder
	f     *hclconfig.File
	stack []*object
	out   []*want
}

type object struct {
	start   int64
	isArray bool
	key     string // of the value that comes next
	keyAt   int64  // where it, and what is before it, begins
	atValue bool
	wants   []*want
}

// next reads one token.
func (r *objectReader) next() error {
	start := r.d.InputOffset()
	token, err := r.d.Token()
	if err != nil {
		return err
	}
	end := r.d.InputOffset()
	var in *object
	if len(r.stack) > 0 {
		in = r.stack[len(r.stack)-1]
	}
	switch delim, isDelim := token.(json.Delim); {
	case isDelim && (delim == '}' || delim == ']'):
		for _, w := range in.wants {
			w.start, w.end = in.start, end
		}
		r.stack = r.stack[:len(r.stack)-1]
		if len(r.stack) > 0 {
			r.stack[len(r.stack)-1].atValue = false
		}
	case isDelim:
		o := &object{start: end - 1, isArray: delim == '['}
		if in != nil && !in.isArray && !o.isArray {
			o.start = in.keyAt // a finding may be at the name of the object
		}
		r.stack = append(r.stack, o)
	case in == nil || in.isArray:
	case !in.atValue:
		in.key, _ = token.(string)
		in.keyAt = start
		in.atValue = true
	default:
		in.atValue = false
		text, isText := token.(string)
		text, isWant := strings.CutPrefix(text, "want ")
		if in.key != "//" || !isText || !isWant {
			return nil
		}
		w := &want{line: int(r.f.Position(end - 1).Line)}
		if err := w.parse(text); err != nil {
			return fmt.Errorf("line %d: %w", w.line, err)
		}
		in.wants = append(in.wants, w)
		r.out = append(r.out, w)
	}
	return nil
}
