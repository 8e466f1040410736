// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import "github.com/tofuwire/tofuwire/hclconfig"

// signatureOf returns a function with its parameters, as join(separator string, lists list(string)...)
// string, or "" if the language has no such function.
func signatureOf(name string, d hclconfig.Dialect) string { return "" }
