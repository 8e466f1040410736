// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// Workspaces is the document that "terraform workspace list -json" prints.
// Terraform 1.16.
//
//wire:kind
type Workspaces struct {
	// FormatVersion is the version of the format, "1.0" today.
	FormatVersion string `json:"format_version"`

	// Workspaces lists the workspaces.
	Workspaces []*Workspace `json:"workspaces"`

	// Diagnostics lists errors and warnings.
	Diagnostics []*Diagnostic `json:"diagnostics"`

	src wire.Source
}

func (v *Workspaces) kind() (k DocumentKind, sure bool) {
	return DocumentWorkspaces, v.Workspaces != nil
}

// A Workspace is one entry of [Workspaces].
type Workspace struct {
	// Name is the workspace's name. Always present.
	Name string `json:"name"`

	// IsCurrent reports whether it is selected. Absent if false.
	IsCurrent bool `json:"is_current,omitempty"`

	src wire.Source
}
