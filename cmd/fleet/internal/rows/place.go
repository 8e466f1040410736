// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// The kinds of states that are not the state of a workspace.
const (
	KindBackup  = "backup"   // a backup, the state of a run that could not save it, or one that was left over
	KindNoState = "no state" // an empty file, which the tools take for none
)

// ErrSkipped is the error for a text of a store that has nothing to show: the document of a lock,
// or an item of a table with the digest of a state.
var ErrSkipped = errors.New("the document of a lock, or the digest of a state")

// backups matches the names of states that the tools or people keep beside the current one: of
// terraform.tfstate.backup, NAME.backup of -state-out, NAME.TIMESTAMP.backup of state mv and rm,
// errored.tfstate of an apply, errored_test.tfstate of a test, and what editors and copies add.
// Versions of an object of a bucket have the number of the generation at the end (gcloud) or a time
// before the extension (rclone); nothing says which is the last one.
var backups = regexp.MustCompile(`(?:\.(?:backup|bak|orig|old|tmp)|~|\.tfstate[.#-][0-9]+(?:[.-][0-9]+)*|-v[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}-[0-9]{3}(?:\.tfstate)?)$|^errored(?:_test)?\.tfstate$`)

// stamped matches the time in the name of a backup, in seconds.
var stamped = regexp.MustCompile(`\.([0-9]{9,11})\.backup$`)

// base returns the name of a file.
func base(name string) string { return path.Base(strings.ReplaceAll(name, "\\", "/")) }

// IsBackup reports whether a state in a file of this name is not the current one.
func IsBackup(name string) bool { return backups.MatchString(base(name)) }

// isStateName reports whether a file of this name has a state, or none if it is empty.
func isStateName(name string) bool { return strings.Contains(base(name), ".tfstate") }

// Current reports whether the document is the current state of a workspace; nil if it is no state.
func (d *Document) Current() any {
	switch d.form {
	case "state", string(planjson.DocumentStateFile), string(planjson.DocumentEncrypted), KindNoState:
		return !IsBackup(d.name)
	}
	return nil
}

// Written returns when a state was written: as the name of a backup says, or when its file was
// changed. It is null for other documents.
func (d *Document) Written(modified time.Time) any {
	if d.Current() == nil {
		return nil
	}
	if m := stamped.FindStringSubmatch(base(d.name)); m != nil {
		if seconds, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return Stamp(time.Unix(seconds, 0))
		}
	}
	return Stamp(modified)
}

// planFile makes the rows of a saved plan: those of what "show -json" prints of it. That schemas are
// missing is no fault of the document.
func (m *maker) planFile(ctx context.Context, text []byte) error {
	f, err := planfile.Open(text, planfile.Options{})
	if err != nil {
		return fmt.Errorf("a zip that is no saved plan: %v", err)
	}
	shown, err := f.JSON(m.options.Schemas)
	var missing *planfile.MissingError
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("no schemas for %s; tofuwire schemas DIR writes them, and -schemas takes them", strings.Join(missing.Providers(), ", "))
	case err != nil:
		return fmt.Errorf("a saved plan: %v", err)
	}
	return m.inside(ctx, shown, m.plan)
}
