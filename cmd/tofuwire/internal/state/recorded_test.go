// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestRecordedConfigurations opens states and plans that OpenTofu 1.12.6 has encrypted, each
// with the text of TF_ENCRYPTION beside it, and encrypts them again.
func TestRecordedConfigurations(t *testing.T) {
	configs, err := filepath.Glob("../../../../planjson/statefile/testdata/encrypted/*.hcl")
	if err != nil || len(configs) < 6 {
		t.Fatal(configs, err)
	}
	for _, config := range configs {
		base := strings.TrimSuffix(config, ".hcl")
		status, state, msg := run(t, "", "decrypt", "-config", config, base+".tfstate")
		f, err := statefile.Decode([]byte(state))
		if status != 0 || msg != "" || err != nil || f.TerraformVersion != "1.12.6" || len(f.Resources) != 1 {
			t.Errorf("%s: %d %s %v", base, status, msg, err)
			continue
		}
		if filepath.Base(config) != "json.hcl" && !depth.IsFull() {
			continue // some hundred thousand iterations for each key
		}
		status, again, msg := run(t, state, "encrypt", "-config", config, "-")
		if status != 0 || msg != "" {
			t.Errorf("%s: encrypting gives %d %s", base, status, msg)
		} else if status, back, msg := run(t, again, "decrypt", "-config", config, "-"); status != 0 || back != state {
			t.Errorf("%s: what was encrypted decrypts with %d %s", base, status, msg)
		}
		if _, err := os.Stat(base + ".tfplan"); err != nil {
			continue
		}
		dir := filepath.Join(t.TempDir(), "snapshot")
		if status, _, msg := run(t, "", "snapshot", "-config", config, base+".tfplan", dir); status != 0 || msg != "" {
			t.Errorf("%s: the snapshot gives %d %s", base, status, msg)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "m", "main.tf")); !strings.Contains(string(text), `output "x"`) {
			t.Errorf("%s: the snapshot has %q, %v", base, text, err)
		}
	}
}
