// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/crypto/bcrypt"
)

// maxCost bounds the work of bcrypt: each step doubles it.
const maxCost = 16

func bcryptHash(args []cty.Value, _ cty.Type) (cty.Value, error) {
	cost := 10
	if len(args) > 2 {
		return cty.NilVal, errors.New("bcrypt() takes no more than two arguments")
	}
	if len(args) == 2 {
		n, _ := args[1].AsBigFloat().Int64()
		cost = int(n)
	}
	if cost > maxCost {
		return cty.NilVal, function.NewArgErrorf(1, "a cost above %d is not computed here", maxCost)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(args[0].AsString()), cost)
	if err != nil {
		return cty.NilVal, fmt.Errorf("error occurred generating password %w", err)
	}
	return cty.StringVal(string(hash)), nil
}
