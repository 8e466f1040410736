// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Linter is a linter with three rules of a made-up company, beside those of package rules.
package main

import (
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

func main() { hcllint.Main(append(rules.All(), tags, ports, secrets)...) }
