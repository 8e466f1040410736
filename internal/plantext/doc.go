// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plantext reads what plans and states say in texts that need no parsing.
//
// Addresses and paths may be any text, also one that package addrs does not parse: keys
// of Terraform 1.2 and older, and [*] for a key that is not known yet. The companions of
// a value are after_unknown, sensitive_values and the like: true for a part that is
// unknown or sensitive, in an object or array of the value's shape.
package plantext
