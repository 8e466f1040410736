// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// Modules is the document that "terraform modules -json" prints: the module
// calls of a configuration. Terraform 1.10; OpenTofu has no such command.
//
//wire:kind
type Modules struct {
	// FormatVersion is the version of the format, "1.0" today. Always present.
	FormatVersion string `json:"format_version"`

	// Modules lists the calls. Terraform writes null if there is none.
	Modules []*InstalledModule `json:"modules" wire:"null"`

	src wire.Source
}

func (v *Modules) kind() (k DocumentKind, sure bool) {
	return DocumentModules, v.Modules != nil && v.FormatVersion != "" // old state files have modules as well
}

// An InstalledModule is a module call with the version that was installed for it.
type InstalledModule struct {
	// Key is the name of the call, without the path of the calling module.
	// Always present.
	Key string `json:"key"`

	// Source is the source: a local path, or an address that includes the
	// host of a registry. Always present.
	Source string `json:"source"`

	// Version is the installed version. Always present, empty for a source
	// that has no versions.
	Version string `json:"version"`

	src wire.Source
}
