// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// stateName is the file into which the tool puts a state that it cannot save
// in its backend.
const stateName = "errored.tfstate"

// A stamp identifies the state of a file.
type stamp struct {
	size    int64
	changed time.Time
}

// leftState returns the stamp of the state that a failed run has left in the
// module's folder, or the zero stamp if there is none.
func (w *wrapper) leftState() stamp {
	info, err := os.Stat(filepath.Join(w.dir, stateName))
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// applying shows a message of an apply, and rescues a state that is in it. If
// the tool can save the state neither in its backend nor in a file, it prints
// it: this message is then the only copy.
func (w *wrapper) applying(ev *uijson.Event) {
	if m := ev.Message; m != nil && m.State != nil {
		w.precious = true // the stream also has it
		if name, err := rescue(m.State, w.dir, w.work); err == nil {
			w.rescued = append(w.rescued, name)
		} else {
			w.say("the state could not be put into a file of its own: %v", err)
		}
	}
	w.progress(ev)
}

// rescue writes a state into a new file in the first of the folders that takes
// it, and returns the file's name.
func rescue(state []byte, folders ...string) (string, error) {
	var last error
	for _, folder := range folders {
		// A new file that only the user can read: a state holds secrets.
		f, err := os.CreateTemp(folder, "emergency-*.tfstate")
		if err != nil {
			last = err
			continue
		}
		_, err = f.Write(state)
		if err == nil {
			err = f.Sync()
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			return f.Name(), nil
		}
		last = err
	}
	return "", last
}
