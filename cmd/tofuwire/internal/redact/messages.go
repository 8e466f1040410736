// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
)

// hasMessages reports whether a text has messages of the -json stream.
func hasMessages(text []byte) bool {
	for ev, err := range uijson.NewReader(bytes.NewReader(text)).Events() {
		if err != nil {
			return false
		}
		if ev.Message != nil {
			return true
		}
	}
	return false
}

// known returns the secrets that -secrets lists and the plan of -plan has.
func (j *job) known() ([]string, error) {
	if j.plan == "" {
		return j.redactor.Secrets, nil
	}
	fail := func(err error) ([]string, error) { return nil, fmt.Errorf("%s: %w", j.plan, withoutPointer(err)) }
	file, err := os.Open(j.plan)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	src, err := plain(file)
	if err != nil {
		return fail(err)
	}
	if src, err = j.converted(src); err != nil {
		return fail(err)
	}
	text, err := io.ReadAll(src)
	if err != nil {
		return fail(err)
	}
	if found, err := planjson.Find(text); err == nil {
		text = found.Text
	}
	plan, err := planjson.DecodePlan(text)
	if err == nil {
		err = planjson.CheckVersion(plan)
	}
	if err != nil {
		return fail(err)
	}
	redactor := j.redactor
	if j.lines { // a text has no marked places, where a password that is a word would be hidden
		redactor.Plain = redact.Everywhere
	}
	secrets, err := redactor.KnownSecrets(plan)
	if err != nil {
		return fail(err)
	}
	return secrets, nil
}

// filter copies a text without known secrets, line by line.
func (j *job) filter(w io.Writer, src io.Reader) error {
	secrets, err := j.known()
	if err != nil {
		return err
	}
	return uijson.RemoveSecretsFromText(secrets).Copy(w, src)
}

// messages redacts a stream of messages. What a plan calls sensitive is hidden in
// the messages of its run. Lines that are not messages are left out and counted, because
// nothing says what they are.
func (j *job) messages(w io.Writer, src io.Reader) error {
	secrets, err := j.known()
	if err != nil {
		return err
	}
	keep := uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys
	switch {
	case j.all:
		keep = 0
	case j.keep:
		keep = ^uijson.Unmarked(0)
	}
	remove := uijson.RemoveSecrets(secrets)
	out := uijson.NewWriter(w)
	var lines, size int64
	for ev, err := range uijson.NewReader(src).Events() {
		if err != nil {
			return err
		}
		if ev.Kind != uijson.EventMessage && ev.Kind != uijson.EventLog {
			// Half a message too: it can hold half a secret, which nothing finds.
			if len(bytes.TrimSpace(ev.Raw)) > 0 || ev.Raw == nil {
				lines, size = lines+1, size+ev.Size
			}
			continue
		}
		if err := ev.Message.CheckVersion(); err != nil {
			return err
		}
		ev.Message.Redact(keep)
		remove(ev.Message)
		if err := out.Write(ev.Message); err != nil {
			return err
		}
	}
	if lines > 0 {
		j.say("left out %d lines (%d bytes) that are not messages", lines, size)
	}
	return nil
}
