// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// A shape is what a schema says of a value. A nil shape says nothing.
type shape = provschema.Shape

// builtinShape is that of terraform_data, which is a part of the tools: none of
// its arguments is sensitive.
var builtinShape = provschema.NewObject(provschema.Body, 0)

// resourceShape returns the shape of a type of resource, or nil.
func (f *facts) resourceShape(provider string, mode addrs.Mode, typ string) *shape {
	if typ == "terraform_data" && mode == addrs.Managed && provider == "terraform.io/builtin/terraform" {
		return builtinShape
	}
	return f.schemas.Resource(provider, mode, typ)
}

// maxNesting bounds the depth of blocks in configurations.
const maxNesting = 500
