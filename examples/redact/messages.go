// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
)

// messages redacts a stream of messages.
func messages(w io.Writer, src io.Reader, r redact.Redactor, o options) error {
	what := uijson.Secrets
	if o.all {
		what = uijson.SecretAll
	}
	_ = planjson.ErrKind
	out := uijson.NewWriter(w)
	for m, err := range uijson.NewReader(src).Messages() {
		if err != nil {
			return err
		}
		m.Redact(what)
		if err := out.Write(m); err != nil {
			return err
		}
	}
	return nil
}
