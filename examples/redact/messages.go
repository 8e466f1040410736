// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
)

// messages redacts a stream of messages. What a plan calls sensitive is hidden in
// the messages of its run. Lines that are not messages are left out, because
// nothing says what they are.
func messages(w io.Writer, src io.Reader, r redact.Redactor, o options) error {
	secrets := r.Secrets
	if o.plan != "" {
		text, err := os.ReadFile(o.plan)
		if err != nil {
			return err
		}
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			return fmt.Errorf("%s: %w", o.plan, withoutPointer(err))
		}
		if err := planjson.CheckVersion(plan); err != nil {
			return fmt.Errorf("%s: %w", o.plan, err)
		}
		if secrets, err = r.KnownSecrets(plan); err != nil {
			return fmt.Errorf("%s: %w", o.plan, err)
		}
	}
	keep := uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys
	switch {
	case o.all:
		keep = 0
	case o.keep:
		keep = ^uijson.Unmarked(0)
	}
	remove := uijson.RemoveSecrets(secrets)
	out := uijson.NewWriter(w)
	for ev, err := range uijson.NewReader(src).Events() {
		if err != nil {
			return err
		}
		if ev.Message == nil {
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
	return nil
}
