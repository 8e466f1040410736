// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"reflect"
)

// Options returns the options of the analyzer of a pass: its [Analyzer.Options], with what
// the configuration of the linter sets. T is the type of that struct.
func Options[T any](p *Pass) T {
	out, _ := p.options.(T)
	return out
}

// checkOptions refuses options that are not a struct.
func checkOptions(a *Analyzer) error {
	if a.Options != nil && reflect.TypeOf(a.Options).Kind() != reflect.Struct {
		return fmt.Errorf("hcllint: the options of analyzer %s are a %T, not a struct", a.Name, a.Options)
	}
	return nil
}
