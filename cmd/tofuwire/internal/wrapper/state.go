// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// stateName is the file into which the tool puts a state that it cannot save
// in its backend.
const stateName = "errored.tfstate"

// leftState returns the time of the state that a failed run has left in the
// module's folder, or zero if there is none.
func (w *wrapper) leftState() (changed time.Time) {
	if info, err := os.Stat(filepath.Join(w.dir, stateName)); err == nil {
		changed = info.ModTime()
	}
	return changed
}

// save rescues a state that is in a message. If the tool can save the state
// neither in its backend nor in a file, it prints it: this is then the only copy.
func (w *wrapper) save(state []byte) {
	w.precious = true // the stream also has it
	if name, err := rescue(state, w.dir, w.work); err != nil {
		w.say("the state could not be put into a file of its own: %v", err)
	} else {
		w.say("the tool could not save the state at all: it is in %s", name)
	}
}

// rescue writes a state into a new file in the first of the folders that takes
// it, and returns the file's name.
func rescue(state []byte, folders ...string) (name string, err error) {
	for _, folder := range folders {
		// A new file that only the user can read: a state holds secrets.
		var f *os.File
		if f, err = os.CreateTemp(folder, "emergency-*.tfstate"); err != nil {
			continue
		}
		_, err = f.Write(state)
		if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
			return f.Name(), nil
		}
	}
	return "", err
}
