// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"path/filepath"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/internal/testing/replaced"
)

func TestReplaces(t *testing.T) {
	replaced.Test(t, Run, func(dir string) []string { return []string{"-w", filepath.Join(dir, "main.tf")} })
}
