// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A writer writes a document without its secrets.
type writer func(w io.Writer, text []byte, r redact.Redactor) error

// kinds are the kinds of documents that a user can name.
var kinds = map[string]planjson.DocumentKind{
	"plan": planjson.DocumentPlan, "state": planjson.DocumentState, "config": planjson.DocumentConfig,
	"output": planjson.DocumentOutputs, "validate": planjson.DocumentValidate, "backend": planjson.DocumentBackend,
}

// writers has a writer for each kind of document.
var writers = map[planjson.DocumentKind]writer{
	planjson.DocumentPlan:          whole(planjson.DecodePlan),
	planjson.DocumentState:         whole(planjson.DecodeState),
	planjson.DocumentConfig:        whole(planjson.DecodeConfig),
	planjson.DocumentOutputs:       whole(planjson.DecodeOutputs),
	planjson.DocumentValidate:      whole(planjson.DecodeValidate),
	planjson.DocumentSchemas:       whole(planjson.DecodeSchemas),
	planjson.DocumentFunctions:     whole(planjson.DecodeFunctions),
	planjson.DocumentVersion:       whole(planjson.DecodeVersion),
	planjson.DocumentModules:       whole(planjson.DecodeModules),
	planjson.DocumentWorkspaces:    whole(planjson.DecodeWorkspaces),
	planjson.DocumentStateShow:     whole(planjson.DecodeStateShow),
	planjson.DocumentRendererPlan:  whole(planjson.DecodeRendererPlan),
	planjson.DocumentRendererState: whole(planjson.DecodeRendererState),
	planjson.DocumentStateFile:     rawState,
	planjson.DocumentBackend:       backend,
}

// names are what the kinds are called.
var names = map[planjson.DocumentKind]string{
	planjson.DocumentPlan: "a plan", planjson.DocumentState: "a state", planjson.DocumentConfig: "a configuration", planjson.DocumentOutputs: "outputs",
	planjson.DocumentValidate: "a result of validate", planjson.DocumentSchemas: "schemas of providers", planjson.DocumentFunctions: "signatures of functions",
	planjson.DocumentVersion: "a version", planjson.DocumentModules: "a list of modules", planjson.DocumentWorkspaces: "a list of workspaces",
	planjson.DocumentStateShow: "a resource of state show", planjson.DocumentRendererPlan: "a plan with schemas",
	planjson.DocumentRendererState: "a state with schemas", planjson.DocumentStateFile: "a state file", planjson.DocumentMessage: "messages of a run",
	planjson.DocumentBackend: "the settings of a backend",
}

// whole returns the writer that redacts a document in memory.
func whole[D planjson.Document](decode func([]byte) (D, error)) writer {
	return func(w io.Writer, text []byte, r redact.Redactor) error {
		doc, err := decode(text)
		if err != nil {
			return withoutPointer(err)
		}
		if err := planjson.CheckVersion(doc); err != nil {
			return err
		}
		if _, err := r.Document(doc); err != nil {
			return withoutPointer(err)
		}
		return planjson.Write(w, doc)
	}
}

// rawState redacts a state as the tools save it.
func rawState(w io.Writer, text []byte, r redact.Redactor) error {
	f, err := statefile.Decode(text)
	if err != nil {
		return withoutPointer(err)
	}
	if _, err := r.StateFile(f); err != nil {
		return withoutPointer(err)
	}
	return statefile.Write(w, f)
}

// backend redacts the settings of a backend.
func backend(w io.Writer, text []byte, r redact.Redactor) error {
	b, err := statefile.DecodeBackend(text)
	if err != nil {
		return withoutPointer(err)
	}
	if _, err := r.Backend(b); err != nil {
		return withoutPointer(err)
	}
	out, err := statefile.Encode(b)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// document redacts what src has.
func (j *job) document(w io.Writer, src io.Reader, kind string) error {
	switch kind {
	case "ui":
		return j.messages(w, src)
	case "auto":
		return j.auto(w, src)
	}
	if j.stream {
		switch kind {
		case "plan":
			_, err := j.redactor.WritePlan(w, src)
			return err
		case "state":
			_, err := j.redactor.WriteState(w, src)
			return err
		}
	}
	text, err := io.ReadAll(src)
	if err != nil {
		return err
	}
	if found, err := planjson.Find(text); err == nil {
		j.around(found)
		text = found.Text
	}
	if kind == "statefile" {
		return rawState(w, text, j.redactor)
	}
	return writers[kinds[kind]](w, text, j.redactor)
}

// around says how much text is around a document.
func (j *job) around(found *planjson.Found) {
	if n := found.Before + found.Inside + found.After; n > 0 {
		j.say("the document begins in line %d; left out %d bytes before it, %d in its lines and %d after it", found.Line, found.Before, found.Inside, found.After)
	}
}

// sniffed is how much of a stream is looked at to tell what it is.
const sniffed = 256 << 10

// auto redacts what src has, whatever it is.
func (j *job) auto(w io.Writer, src io.Reader) error {
	if j.stream {
		seeker, _ := src.(io.Seeker)
		buffered := bufio.NewReaderSize(src, sniffed)
		start, _ := buffered.Peek(sniffed)
		kind := planjson.KindOf(start)
		src = buffered
		if kind == planjson.DocumentPlan || kind == planjson.DocumentState {
			j.say("taken for %s", names[kind])
			if seeker != nil {
				if _, err := seeker.Seek(0, io.SeekStart); err == nil {
					src = seeker.(io.Reader)
				}
			}
			var err error
			if kind == planjson.DocumentPlan {
				_, err = j.redactor.WritePlan(w, src)
			} else {
				_, err = j.redactor.WriteState(w, src)
			}
			return err
		}
	}
	text, err := io.ReadAll(src)
	if err != nil {
		return err
	}
	return j.recognize(w, text)
}

var errUnknown = errors.New("the kind of the input is not recognized; name it: plan, state, statefile, backend, config, output, validate or ui; -text takes any text")

// recognize redacts a text, whatever it is.
func (j *job) recognize(w io.Writer, text []byte) error {
	if kind := planjson.KindOf(text); kind == planjson.DocumentMessage {
		j.say("taken for %s", names[kind])
		return j.messages(w, bytes.NewReader(text))
	}
	found, err := planjson.Find(text)
	if err == nil {
		if write := writers[found.Kind]; write != nil {
			if j.plan != "" || j.all {
				return errors.New("-plan and -all need the messages of a run")
			}
			j.say("taken for %s", names[found.Kind])
			j.around(found)
			return write(w, found.Text, j.redactor)
		}
		if found.Kind != "" {
			_, err := planjson.Decode(found.Text)
			return withoutPointer(err)
		}
	}
	if hasMessages(text) {
		j.say("taken for %s", names[planjson.DocumentMessage])
		return j.messages(w, bytes.NewReader(text))
	}
	if out, kind := j.file(text); out != nil {
		j.say("taken for %s", kind)
		_, err := w.Write(out)
		return err
	}
	if err != nil && !errors.Is(err, planjson.ErrNoDocument) {
		return fmt.Errorf("%w (%w)", errUnknown, withoutPointer(err))
	}
	return errUnknown
}

// withoutPointer returns an error of decoding without the names of members on the way to
// its place, because a key of a map can be a secret. Its line and column say enough.
func withoutPointer(err error) error {
	if e := new(planjson.Error); errors.As(err, &e) {
		place := *e
		place.Pointer = ""
		return &place
	}
	if e := new(statefile.Error); errors.As(err, &e) {
		place := *e
		place.Pointer = ""
		return &place
	}
	return err
}
