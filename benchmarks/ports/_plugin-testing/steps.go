// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package tfjsonpath

// Steps returns the steps of a path as planjson takes them.
func (p Path) Steps() (steps []any) {
	for _, s := range p.steps {
		switch s := any(s).(type) {
		case MapStep:
			steps = append(steps, string(s))
		case SliceStep:
			steps = append(steps, int(s))
		}
	}
	return steps
}
