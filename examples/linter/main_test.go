// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint/hcllinttest"
)

func TestTags(t *testing.T)    { hcllinttest.Run(t, "testdata/tags", tags) }
func TestPorts(t *testing.T)   { hcllinttest.Run(t, "testdata/ports", ports) }
func TestSecrets(t *testing.T) { hcllinttest.Run(t, "testdata/secrets", secrets) }
