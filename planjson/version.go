// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Version is the document that "version -json" prints. The tools indent it by
// two spaces.
//
// Source: OpenTofu internal/command/version.go.
//
//wire:kind
//wire:terraform terraform_revision!0.15 platform@0.15
type Version struct {
	// FormatVersion is the version of the format. Only the previews of
	// Terraform 1.17 write it.
	FormatVersion string `json:"format_version,omitempty"`

	// TerraformVersion is the version of the tool; OpenTofu writes its own
	// here. Always present.
	TerraformVersion string `json:"terraform_version"`

	// TerraformRevision is the source revision, usually "". Only Terraform 0.13 and 0.14 wrote
	// it, and always did.
	TerraformRevision string `json:"terraform_revision,omitempty"`

	// Platform is the operating system and architecture, such as linux_amd64.
	// Always present since Terraform 0.15.
	Platform string `json:"platform"`

	// FIPS140 reports whether the tool runs with FIPS 140-3 cryptography.
	// Absent if false. OpenTofu 1.11.
	FIPS140 bool `json:"fips140,omitempty"`

	// ProviderSelections holds the selected versions of the providers by
	// source address. Always present, possibly empty.
	ProviderSelections map[string]string `json:"provider_selections"`

	// TerraformOutdated reports whether a newer version is known. Always
	// present in Terraform; absent (nil) in OpenTofu.
	TerraformOutdated *bool `json:"terraform_outdated,omitempty"`

	src wire.Source
}

func (v *Version) kind() (k DocumentKind, sure bool) {
	return DocumentVersion, v.Platform != ""
}
