// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
)

// ParsePath returns the steps of a path that is written as in an expression, such as
// network[0].tags["a b"], as [Value.Get] and [Change.IsUnknown] take them: strings and
// ints. It reads the paths that packages plandiff and plangraph write. The path "" has
// no steps. If s is no path, the error is an [*Error].
func ParsePath(s string) ([]any, error) {
	if s == "" {
		return nil, nil
	}
	root := "var.x."
	if s[0] == '[' {
		root = "var.x"
	}
	ref, err := addrs.ParseReference(root + s)
	if err != nil {
		if e, ok := errors.AsType[*addrs.Error](err); ok {
			err = fmt.Errorf("offset %d: %w", max(e.Offset-int64(len(root)), 0), e.Err)
		}
		return nil, &Error{Err: fmt.Errorf("path %q: %w", s, err)}
	}
	var steps []any
	for step := range ref.Remaining() {
		if name, ok := step.Attr(); ok {
			steps = append(steps, name)
			continue
		}
		key, ok := step.Index()
		if name, isName := key.Str(); isName {
			steps = append(steps, name)
			continue
		}
		n, _ := key.Int()
		if !ok || n != int64(int(n)) {
			return nil, &Error{Err: fmt.Errorf("path %q: %s is not an index", s, step)}
		}
		steps = append(steps, int(n))
	}
	return steps, nil
}
