// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// The bounds of the content of an answer. A small text can need much memory and
// work: each "{}," is a structure.
const (
	// maxVersionElements bounds the commas, and therefore the elements, of a list
	// of a provider's versions. The longest real lists have some 20,000.
	maxVersionElements = 600_000

	// maxElements is that bound for all other answers. The longest real ones
	// have some thousands.
	maxElements = 100_000

	// maxVersionText bounds the total length of all versions of a list, because
	// they are sorted. A real list of 2,000 versions has 20 KB.
	maxVersionText = 1 << 20

	// maxURL bounds the length of a URL. Those with a signature have some 2 KB.
	maxURL = 64 << 10
)

// decode decodes the JSON answer resp into v. It is stricter than OpenTofu in
// one way: text after the value is an error. As in OpenTofu, unknown members
// are ignored and names match without regard to case. The error has the place.
func decode(r request, resp *response, v any) error {
	e := &Error{Op: r.op, Method: http.MethodGet, URL: displayURL(resp.url), Status: resp.status}
	if most := cmp.Or(r.elements, maxElements); bytes.Count(resp.body, []byte{','}) > most {
		e.Err = fmt.Errorf("%w: more than %d elements", ErrLimit, most)
		return e
	}
	err := json.Unmarshal(resp.body, v)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		var offset int
		offset, err = syntaxError(resp.body, err)
		e.setPlace(resp.body, int64(offset))
		if resp.header != nil && looksHTML(resp) {
			err = errors.New("a page of HTML, not JSON")
		}
	} else if typ, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		e.setPlace(resp.body, max(typ.Offset-1, 0))
		if typ.Field != "" {
			e.Pointer = "/" + strings.ReplaceAll(printable.Line(typ.Field, 200), ".", "/")
		}
		err = fmt.Errorf("the protocol does not allow %s here", typ.Value)
	}
	e.Err = fmt.Errorf("%w: %s", ErrBadResponse, printable.Line(err.Error(), 300))
	return e
}

// syntaxError returns the place and the cause of the fault in a text that
// encoding/json refuses. The offset of a json.SyntaxError is not the same in
// all versions of Go.
func syntaxError(text []byte, err error) (int, error) {
	if offset, fault := jsonscan.Document(text); fault != jsonscan.OK && fault != jsonscan.FaultUTF8 {
		return offset, fault
	}
	return 0, err
}

// setPlace sets the place to the byte offset of body.
func (e *Error) setPlace(body []byte, offset int64) {
	offset = min(offset, int64(len(body)))
	before := body[:offset]
	e.Offset = offset
	e.Line = 1 + bytes.Count(before, []byte{'\n'})
	e.Column = 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
}

// badMember returns an error about one member of an answer that decoded, but
// does not follow the protocol.
func badMember(r request, resp *response, pointer, format string, args ...any) *Error {
	return &Error{
		Op: r.op, Method: http.MethodGet, URL: displayURL(resp.url), Status: resp.status, Pointer: pointer,
		Messages: messages(resp.header.Get("Content-Type"), resp.body),
		Err:      fmt.Errorf("%w: %w", ErrBadResponse, fmt.Errorf(format, args...)),
	}
}

// refusal returns an error if an answer lacks what it is for, but has the words of a
// server that refuses with status 200. Without words a missing list is an empty one, as
// in OpenTofu.
func refusal(r request, resp *response, pointer string, missing bool) error {
	if !missing {
		return nil
	}
	if e := badMember(r, resp, pointer, "the server refuses"); len(e.Messages) > 0 {
		return e
	}
	return nil
}

// parseURL returns the URL text in an answer from base. It may be relative.
func parseURL(base *url.URL, text string) (*url.URL, error) {
	if len(text) > maxURL {
		return nil, fmt.Errorf("%w: a URL of more than %d bytes", ErrLimit, maxURL)
	}
	u, err := base.Parse(text)
	if err != nil || text == "" {
		return nil, errors.New("no usable URL")
	}
	return u, nil
}

// A versionCount counts the text of the versions of one list.
type versionCount int

// add counts v, and fails if the list is too long.
func (n *versionCount) add(v addrs.Version) error {
	if *n += versionCount(len(v.String())); *n > maxVersionText {
		return fmt.Errorf("%w: the versions have more than %d bytes", ErrLimit, maxVersionText)
	}
	return nil
}

// tooLong returns an error about a part of an answer that exceeds a limit.
func tooLong(r request, resp *response, pointer string, err error) *Error {
	e := badMember(r, resp, pointer, "")
	e.Err = err
	return e
}

// looksHTML reports whether an answer is a web page. Proxies and misconfigured
// servers often send one with status 200.
func looksHTML(resp *response) bool {
	mt, _, _ := mime.ParseMediaType(resp.header.Get("Content-Type"))
	text := bytes.ToLower(bytes.TrimSpace(resp.body[:min(len(resp.body), 200)]))
	return mt == "text/html" || bytes.HasPrefix(text, []byte("<!doctype")) || bytes.HasPrefix(text, []byte("<html"))
}

// messages finds the text for people in the body of an error: members "errors",
// "error", "message", "detail" or "title" of a JSON object, in the shapes that
// registries use, or the first line of a plain text.
func messages(contentType string, body []byte) []string {
	mt, _, _ := mime.ParseMediaType(contentType)
	var found []string
	if strings.HasSuffix(mt, "json") {
		var v any
		if json.Unmarshal(body, &v) == nil {
			found = collectMessages(v, 0)
		}
	} else if mt == "text/plain" {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		found = []string{line}
	}
	var out []string
	for _, m := range found {
		if m = printable.Line(m, 300); m != "" && len(out) < 5 {
			out = append(out, m)
		}
	}
	return out
}

// collectMessages walks the shapes that messages knows.
func collectMessages(v any, depth int) []string {
	if depth > 3 {
		return nil
	}
	var out []string
	switch v := v.(type) {
	case string:
		if depth > 0 {
			out = append(out, v)
		}
	case []any:
		for _, e := range v[:min(len(v), 5)] {
			out = append(out, collectMessages(e, depth+1)...)
		}
	case map[string]any:
		for _, name := range []string{"errors", "error", "message", "detail", "title"} {
			if m, ok := v[name]; ok {
				if got := collectMessages(m, depth+1); len(got) > 0 {
					return append(out, got...)
				}
			}
		}
	}
	return out
}
