// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"hash/maphash"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// Facts are what a document says of its objects, anywhere.
type facts struct {
	seed        maphash.Seed
	schemas     planschema.Shapes
	remoteState *shape
	missing     map[string]bool // types without a schema
	meter

	objectMarks
	arguments
	history
	flows
	texts
	renames
}

// A meter counts.
type meter struct {
	n    int // values replaced
	work int // bytes and marks looked at, for a test
}

func newFacts(r *Redactor) *facts {
	seed := maphash.MakeSeed()
	f := &facts{
		seed: seed, schemas: planschema.Shapes{From: r.Schemas}, remoteState: remoteStateShape(r.Keep&RemoteStateOutputs != 0), missing: map[string]bool{}, arguments: arguments{seed: seed, instances: map[string]*instances{}, seen: map[uint64]struct{}{}},
		history: history{visits: map[uint64]visit{}, hasMoved: map[string]bool{}}, flows: flows{variables: map[string][]byte{}},
		texts: newTexts(seed), renames: newRenames(r),
	}
	f.objectMarks = newObjectMarks(seed, &f.meter)
	return f
}

// Flows are what the configuration says of where values come from and go to.
type flows struct {
	config     *planjson.Config
	configText []byte
	providers  map[string]string // full names, by the keys of provider configurations
	variables  map[string][]byte // values, by address
	why        map[string]reason // for variables and outputs of all modules that are hidden
	partly     map[string]bool   // variables that are a part of something partly sensitive
}

// rulesFor returns the rules about an object.
func (e *engine) rulesFor(address, block, typ string) *progress {
	if len(e.Rules) == 0 {
		return nil
	}
	resource := withoutKey(address)
	return rulesFor(e.Rules, typ, func(a string) bool { return a == address || a == block || a == resource })
}

// rulesForBlock returns the rules about any instance of a block.
func (e *engine) rulesForBlock(block, typ string) *progress {
	if len(e.Rules) == 0 {
		return nil
	}
	return rulesFor(e.Rules, typ, func(a string) bool { return a == block || plantext.WithoutKeys(a) == block })
}

// withoutKey returns the address of the resource of an instance.
func withoutKey(address string) string {
	last := -1
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			end := plantext.KeyEnd(address, i)
			if end >= len(address)-1 {
				last = i
			}
			i = end
		}
	}
	if last < 0 {
		return address
	}
	return address[:last]
}

// providerOf returns the full name of the provider that a block uses.
func (f *flows) providerOf(key string) string { return f.providers[key] }
