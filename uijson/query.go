// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A ListStart begins the results of one list block of a query.
type ListStart struct {
	Address                 string   `json:"address"`                             // of the list block
	ResourceType            string   `json:"resource_type"`                       // the type that is searched
	InputConfig             Value    `json:"input_config,omitempty"`              // an object
	SensitiveAttributePaths []string `json:"sensitive_attribute_paths,omitempty"` // Terraform 1.15 and newer

	src wire.Source
}

// A ListResourceFound is one result of a list block.
type ListResourceFound struct {
	Address         string `json:"address"`                    // of the list block
	DisplayName     string `json:"display_name"`               // for people
	Identity        Value  `json:"identity"`                   // an object, or null
	IdentityVersion *int64 `json:"identity_version,omitempty"` // Terraform 1.14 and newer
	ResourceType    string `json:"resource_type"`
	ResourceObject  Value  `json:"resource_object,omitempty"` // an object; may hold secrets
	Config          string `json:"config,omitempty"`
	ImportConfig    string `json:"import_config,omitempty"`

	src wire.Source
}

// A ListComplete ends the results of one list block.
type ListComplete struct {
	Address      string `json:"address"`       // of the list block
	ResourceType string `json:"resource_type"` // the query
	Total        int64  `json:"total"`         // how many were found

	src wire.Source
}
