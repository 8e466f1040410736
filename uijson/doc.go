// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uijson reads and writes the stream of messages that OpenTofu and
// Terraform print with the option -json: one JSON object a line.
package uijson

//go:generate go run ../internal/wiregen
