// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"maps"
	"slices"
)

// A Fault is the name of one way to misbehave, for [Server.Inject]. The names
// begin with their subject: "discovery-", "redirect-", "versions-", "package-",
// "reported-", "sums-", "signature-", "key-", "zip-", "mirror-", "module-". For
// packages whose contents are an attack, see [HostileZips].
type Fault string

// A faultSpec is the effect of a fault.
type faultSpec struct {
	// about describes the fault, for people.
	about string

	// harmless faults are oddities that a client should tolerate.
	harmless bool

	// act changes the answers to requests of some kinds.
	act map[Kind]func(*reply)
}

// Faults returns the names of all faults, sorted.
func Faults() []Fault { return slices.Sorted(maps.Keys(faultSpecs())) }

// faultSpecs returns the table of all faults.
func faultSpecs() map[Fault]faultSpec {
	all := map[Fault]faultSpec{}
	for _, part := range []map[Fault]faultSpec{
		discoveryFaults(), redirectFaults(), versionsFaults(), packageFaults(), sumsFaults(), signatureFaults(),
		zipFaults(), mirrorFaults(), moduleFaults(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// Describe returns a description of the fault, for people. That of a fault that
// ends OpenTofu 1.12.6 with a panic says so.
func (f Fault) Describe() string { return faultSpecs()[f].about }

// Harmless reports whether the fault is an oddity that a client should
// tolerate, because it proves nothing wrong.
func (f Fault) Harmless() bool { return faultSpecs()[f].harmless }

func (f Fault) actions() map[Kind]func(*reply) { return faultSpecs()[f].act }

// on returns a table of one action.
func on(kind Kind, act func(*reply)) map[Kind]func(*reply) {
	return map[Kind]func(*reply){kind: act}
}

// onAny returns a table of one action for every kind of document.
func onAny(act func(*reply)) map[Kind]func(*reply) {
	out := map[Kind]func(*reply){}
	for _, k := range []Kind{KindDiscovery, KindVersions, KindPackage, KindChecksums, KindSignature, KindMirrorIndex, KindMirrorVersion, KindModuleVersions, KindModuleDownload} {
		out[k] = act
	}
	return out
}

// text returns an action that answers with a text.
func text(status int, contentType, body string) func(*reply) {
	return func(r *reply) { r.set(status, contentType, body) }
}

// member returns an action that sets a member of the JSON answer. The value nil
// means null; see without for none.
func member(name string, value any) func(*reply) {
	return func(r *reply) {
		if r.doc != nil {
			r.doc[name] = value
		}
	}
}

// without returns an action that removes a member.
func without(name string) func(*reply) {
	return func(r *reply) { delete(r.doc, name) }
}
