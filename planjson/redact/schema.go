// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// A shape is what a schema says of a value. A nil shape says nothing.
type shape = provschema.Shape

// builtinShape is that of terraform_data, which is a part of the tools: none of
// its arguments is sensitive.
var builtinShape = provschema.NewObject(provschema.Body, 0)

// resourceShape returns the shape of a type of resource, or nil.
func (f *facts) resourceShape(provider string, mode addrs.Mode, typ string) *shape {
	if typ == remoteState { // also if Schemas has the type: the tools call nothing of it sensitive
		return f.remoteState
	}
	if s := f.schemas.Resource(provider, mode, typ); s != nil {
		return s
	}
	if typ == "terraform_data" && mode == addrs.Managed && ofTools(provider) {
		return builtinShape
	}
	return nil
}

// ofTools reports whether a provider is a part of the tools.
func ofTools(provider string) bool { return provider == "" || planschema.IsBuiltIn(provider) }

// noSchema takes note of a type that no schema has although schemas are set or required, and
// reports whether its values are hidden.
func (e *engine) noSchema(s *shape, typ string) bool {
	if s != nil || e.Schemas == nil && !e.RequireSchemas {
		return false
	}
	e.missing[typ] = true
	return e.Schemas != nil
}

// ErrNoSchema is the cause of an error with [Redactor.RequireSchemas].
var ErrNoSchema = errors.New("there is no schema")

// checkSchemas returns an error if a schema is required and missing.
func (e *engine) checkSchemas() error {
	if !e.RequireSchemas || len(e.missing) == 0 {
		return nil
	}
	types := slices.Sorted(maps.Keys(e.missing))
	return &planjson.Error{Err: fmt.Errorf("%w of %s", ErrNoSchema, strings.Join(types, ", "))}
}

// maxNesting bounds the depth of blocks in configurations.
const maxNesting = 500
