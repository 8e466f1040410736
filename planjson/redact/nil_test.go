// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/planjson/redact"
)

// A plan without a prior state, or a command without result, has nil for a
// document, which has no secrets.
func TestNilDocuments(t *testing.T) {
	var r redact.Redactor
	for name, redact := range map[string]func() (int, error){
		"plan":           func() (int, error) { return r.Plan(nil) },
		"state":          func() (int, error) { return r.State(nil) },
		"config":         func() (int, error) { return r.Config(nil) },
		"outputs":        func() (int, error) { return r.Outputs(nil) },
		"renderer plan":  func() (int, error) { return r.RendererPlan(nil) },
		"renderer state": func() (int, error) { return r.RendererState(nil) },
		"validate":       func() (int, error) { return r.Validate(nil) },
		"state show":     func() (int, error) { return r.StateShow(nil) },
	} {
		if n, err := redact(); n != 0 || err != nil {
			t.Errorf("redacting no %s gives %d, %v", name, n, err)
		}
	}
}
