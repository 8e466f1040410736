// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// Backend replaces the secrets in b, the settings of a backend in .terraform/terraform.tfstate:
// everything but the settings that name a place, as in the config of terraform_remote_state.
// See [Redactor.Plan].
func (r Redactor) Backend(b *statefile.Backend) (int, error) {
	if b == nil {
		return 0, nil
	}
	c := statefile.Clone(b)
	settings := c.Backend
	if settings == nil {
		settings = new(statefile.BackendSettings)
	}
	// The settings are redacted as those of a data source that reads the same state.
	x := &planjson.Resource{Address: "data." + remoteState + ".backend", Mode: addrs.Data, Type: remoteState, Name: "backend", Values: planjson.Value("{}")}
	if settings.Config != nil {
		x.Values = slices.Concat([]byte(`{"config":`), settings.Config, []byte("}"))
	}
	state := &planjson.State{FormatVersion: "1.0", Values: new(planjson.Values)}
	state.Values.RootModule.Resources = []*planjson.Resource{x}
	src, err := planjson.Encode(state)
	if err != nil {
		return 0, err
	}
	if report := r.Report; report != nil {
		r.Report = func(e Entry) {
			e.Pointer, e.Address = strings.Replace(e.Pointer, "/values/root_module/resources/0/values/", "/backend/", 1), ""
			report(e)
		}
	}
	e, out, err := r.redacted(typeState, false, nil, func() (io.Reader, []byte, error) { return nil, src, nil })
	if err != nil {
		return 0, err
	}
	w := e.pass.(*writer)
	redacted, err := planjson.DecodeState(out)
	if err != nil {
		return 0, err
	}
	if settings.Config != nil {
		settings.Config = redacted.Values.RootModule.Resources[0].Values.Member("config")
	}
	for _, o := range []statefile.Object{c, settings} {
		w.hideExtra(o, func(name string) string { return "/" + w.name(name) })
	}
	text, err := statefile.Encode(c)
	if err != nil {
		return 0, err
	}
	text = w.secrets.ReplaceInJSON(nil, text, w.token, func(name string) string { return name }, func() { w.n++ })
	now, err := statefile.DecodeBackend(text)
	if err != nil {
		return 0, err
	}
	*b = *now
	return w.n, nil
}

// hideExtra hides the members of an object that no type knows.
func (w *writer) hideExtra(o statefile.Object, pointer func(name string) string) {
	if w.Keep&Extra != 0 {
		return
	}
	for name, v := range statefile.Extra(o) {
		if now := hiddenValue(v, w.quoted); string(now) != string(v) && statefile.SetExtra(o, name, now) == nil {
			w.hiddenAt(pointer(name))
		}
	}
}
