// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint/hcllinttest"
)

func TestMore(t *testing.T) { hcllinttest.Run(t, "testdata/more", short, owner, retention) }
