// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plugintest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/tofuwire/tofuwire/planjson"
)

// SavedPlan shows the saved plan as JSON and decodes it.
func (wd *WorkingDir) SavedPlan(ctx context.Context) (*planjson.Plan, error) {
	if !wd.HasSavedPlan() {
		return nil, errors.New("no plan is saved")
	}
	providers, err := json.Marshal(wd.reattachInfo)
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	show := exec.CommandContext(ctx, wd.tf.ExecPath(), "show", "-json", "-no-color", wd.planFilename())
	show.Dir, show.Stderr = wd.tf.WorkingDir(), &stderr
	show.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_REATTACH_PROVIDERS="+string(providers))
	text, err := show.Output()
	if err != nil {
		return nil, fmt.Errorf("show: %w: %s", err, stderr.Bytes())
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, err
	}
	return plan, planjson.CheckVersion(plan)
}
