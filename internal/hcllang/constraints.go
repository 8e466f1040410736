// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import "strings"

// LooseConstraints spells constraints as they are spelled for providers. On
// modules and on the program itself OpenTofu reads them with
// hashicorp/go-version alone, which takes any white space behind the operator,
// and a letter v before the version.
func LooseConstraints(s string) string {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		p = strings.TrimSpace(p)
		version := strings.TrimLeft(p, "=!<>~")
		operator := p[:len(p)-len(version)]
		version = strings.TrimPrefix(strings.TrimSpace(version), "v")
		parts[i] = strings.TrimSpace(operator + " " + version)
	}
	return strings.Join(parts, ", ")
}
