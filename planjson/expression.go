// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// An Expression is what a configuration says about an argument or a nested
// block.
type Expression struct {
	ConstantValue Value
	References    []string
	Block         map[string]*Expression
	Blocks        []*Expression
	Raw           Value

	src wire.Source
}
