// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import "github.com/tofuwire/tofuwire/internal/replacefile"

// writeFile replaces a file, or makes it.
func writeFile(name string, text []byte) error { return replacefile.Edit(name, text) }
