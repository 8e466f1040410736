// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// StateFile replaces the secrets in f, the state as the tools save it: by the paths that it
// calls sensitive, its sensitive outputs, Schemas and Rules. The providers' private data is
// removed, and the messages of checks are hidden unless Keep has [Details]. A state of version
// 3 becomes one of version 4, which has neither the settings of a backend nor the outputs of
// child modules. See [Redactor.Plan].
func (r Redactor) StateFile(f *statefile.File) (int, error) {
	if f == nil {
		return 0, nil
	}
	s := stateFile{file: statefile.Clone(f), text3: text3(f), places: map[string]string{}, schemas: planschema.Shapes{From: r.Schemas}, keepOutputs: r.Keep&RemoteStateOutputs != 0, wrappers: map[string]bool{}}
	state, err := s.state()
	if err != nil {
		return 0, err
	}
	src, err := planjson.Encode(state)
	if err != nil {
		return 0, err
	}
	if report := r.Report; report != nil {
		r.Report = func(e Entry) {
			e.Pointer = s.pointer(e.Pointer)
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
	s.take(redacted)
	s.names(w)
	s.hide(w)
	if s.text3 != nil {
		s.file.Serial++ // the text is of version 4 then, also if nothing was hidden
	}
	text, err := statefile.Encode(s.file)
	if err != nil {
		return 0, err
	}
	members := stateFileMembers()
	text = w.secrets.ReplaceInJSON(make([]byte, 0, len(text)), text, w.token, func(name string) string {
		if members[name] {
			return name
		}
		return w.name(name)
	}, func() { w.n++ })
	now, err := statefile.Decode(text)
	if err != nil {
		return 0, err
	}
	if s.text3 != nil {
		now.Serial--
	}
	*f = *now
	return w.n, nil
}

// A stateFile is a state that is redacted by way of what show -json would print of it.
type stateFile struct {
	file      *statefile.File
	text3     planjson.Value // of a state of version 3
	instances []statefile.Instance
	places    map[string]string // pointers in the file, by those in the state
	schemas   planschema.Shapes

	keepOutputs bool            // of terraform_remote_state
	wrappers    map[string]bool // pointers to its objects in the file
}

// state returns a state that has the values of the file, in the order of its
// instances, with their marks.
func (s *stateFile) state() (*planjson.State, error) {
	state := &planjson.State{FormatVersion: "1.0", Values: new(planjson.Values)}
	for name, o := range s.file.Outputs {
		if o == nil {
			continue
		}
		if state.Values.Outputs == nil {
			state.Values.Outputs = make(map[string]*planjson.Output)
		}
		state.Values.Outputs[name] = &planjson.Output{Sensitive: o.Sensitive, Value: o.Value, Type: o.Type}
		s.places["/values/outputs/"+name] = "/outputs/" + name
	}
	if s.text3 != nil {
		if state.Values.Outputs == nil {
			state.Values.Outputs = make(map[string]*planjson.Output)
		}
		s.older(state.Values.Outputs)
	}
	objects := make(map[*statefile.InstanceObject]string)
	for i, r := range s.file.Resources {
		if r == nil {
			continue
		}
		for k, o := range r.Instances {
			objects[o] = fmt.Sprintf("/resources/%d/instances/%d", i, k)
		}
	}
	for i := range s.file.All() {
		at := "/values/root_module/resources/" + strconv.Itoa(len(s.instances))
		s.places[at] = objects[i.Object]
		if i.Resource.Type == remoteState && i.Object.Attributes != nil {
			s.wrappers[objects[i.Object]] = true
		}
		s.instances = append(s.instances, i)
		x := &planjson.Resource{
			Address: i.Address.String(), Mode: i.Resource.Mode, Type: i.Resource.Type, Name: i.Resource.Name,
			DeposedKey: i.Object.Deposed, Values: i.Object.Attributes, Identity: i.Object.Identity,
		}
		if x.Type == remoteState {
			x.Values = unwrapped(x.Values)
		}
		if p, err := i.ProviderAddr(); err == nil {
			x.ProviderName = p.Provider().String()
		}
		if x.Values == nil && i.Object.AttributesFlat != nil {
			flat, err := json.Marshal(i.Object.AttributesFlat)
			if err != nil {
				return nil, err
			}
			x.Values = flat
		}
		var err error
		if x.SensitiveValues, err = i.Object.SensitiveValues(); err != nil {
			return nil, err
		}
		if i.Object.Attributes == nil && !bytes.Contains(x.SensitiveValues, []byte("true")) {
			if x.Type == remoteState {
				x.SensitiveValues = remoteFlatMarks(i.Object.AttributesFlat, s.keepOutputs)
			} else {
				x.SensitiveValues = flatMarks(i.Object.AttributesFlat, s.schemas.Resource(x.ProviderName, x.Mode, x.Type))
			}
		}
		state.Values.RootModule.Resources = append(state.Values.RootModule.Resources, x)
	}
	return state, nil
}

// pointer returns where in the file a place of the state is.
func (s *stateFile) pointer(pointer string) string {
	for end := len(pointer); end > 0; end = strings.LastIndexByte(pointer[:end], '/') {
		at, ok := s.places[pointer[:end]]
		if !ok {
			continue
		}
		rest := pointer[end:]
		if below, ok := strings.CutPrefix(rest, "/values"); ok && strings.HasPrefix(at, "/resources/") {
			rest = "/attributes" + s.wrappedPointer(at, below)
		}
		return at + rest
	}
	return pointer
}

// take takes the values of a redacted state.
func (s *stateFile) take(state *planjson.State) {
	for name, o := range s.file.Outputs {
		if o != nil {
			now := state.Values.Outputs[name]
			if now == nil { // its name has a secret
				o.Value, o.Type = planjson.Value("null"), planjson.Value(`"dynamic"`)
				continue
			}
			o.Value, o.Type = now.Value, now.Type
		}
	}
	for k, i := range s.instances {
		now, o := state.Values.RootModule.Resources[k], i.Object
		o.Identity = now.Identity
		if o.Attributes != nil && i.Resource.Type == remoteState {
			o.Attributes = wrapped(o.Attributes, now.Values)
			continue
		}
		if o.Attributes != nil {
			o.Attributes = now.Values
			continue
		}
		flat := make(map[string]string, len(o.AttributesFlat))
		for name, v := range now.Values.Members() {
			flat[name], _ = v.Text()
		}
		if o.AttributesFlat != nil {
			o.AttributesFlat = flat
		}
	}
}

// names replaces the secrets in addresses and keys, so that different ones stay
// different.
func (s *stateFile) names(w *writer) {
	addresses := func(list []string) {
		for i, a := range list {
			list[i] = w.plainAddress(a)
		}
	}
	for _, r := range s.file.Resources {
		if r == nil {
			continue
		}
		r.Module = w.plainAddress(r.Module)
		for _, o := range r.Instances {
			if key, ok := o.IndexKey.Text(); ok {
				if plain := w.name(key); plain != key {
					o.IndexKey = planjson.Value(quote(plain))
					w.n++
				}
			}
			addresses(o.Dependencies)
			addresses(o.DependsOn)
		}
	}
	for _, c := range s.file.CheckResults {
		if c == nil {
			continue
		}
		for _, o := range c.Objects {
			if o != nil {
				o.ObjectAddr = w.plainAddress(o.ObjectAddr)
			}
		}
	}
}

// hide hides what nothing says that it is not sensitive.
func (s *stateFile) hide(w *writer) {
	extra := func(o statefile.Object, at string) { w.hideExtra(o, func(string) string { return at }) }
	extra(s.file, "")
	for name, o := range s.file.Outputs {
		if o != nil {
			extra(o, "/outputs/"+w.name(name))
		}
	}
	for i, r := range s.file.Resources {
		if r == nil {
			continue
		}
		at := "/resources/" + strconv.Itoa(i)
		extra(r, at)
		for k, o := range r.Instances {
			at := fmt.Sprintf("%s/instances/%d", at, k)
			extra(o, at)
			if o.Private != "" {
				o.Private = ""
				w.hiddenAt(at + "/private")
			}
		}
	}
	for i, c := range s.file.CheckResults {
		if c == nil {
			continue
		}
		extra(c, fmt.Sprintf("/check_results/%d", i))
		for k, o := range c.Objects {
			if o == nil {
				continue
			}
			at := fmt.Sprintf("/check_results/%d/objects/%d", i, k)
			extra(o, at)
			for n, message := range o.FailureMessages {
				if w.Keep&Details == 0 && message != w.token && message != "" {
					o.FailureMessages[n] = w.token
					w.hiddenAt(fmt.Sprintf("%s/failure_messages/%d", at, n))
				}
			}
		}
	}
}

// hiddenValue returns a value with nothing left of it but its kind.
func hiddenValue(v planjson.Value, quoted []byte) planjson.Value {
	switch v.Kind() {
	case planjson.KindString:
		if string(v) == `""` {
			return v
		}
		return planjson.Value(quoted)
	case planjson.KindNumber:
		return planjson.Value("0")
	case planjson.KindBool:
		return planjson.Value("false")
	case planjson.KindArray:
		return planjson.Value("[]")
	case planjson.KindObject:
		return planjson.Value("{}")
	}
	return v
}

// stateFileMembers returns the names that the format gives to members.
func stateFileMembers() map[string]bool {
	names := make(map[string]bool)
	for name := range strings.FieldsSeq(`version terraform_version serial lineage outputs resources check_results value type sensitive deprecated
		module mode name each provider instances index_key status deposed schema_version attributes attributes_flat sensitive_attributes private dependencies
		depends_on create_before_destroy skip_destroy identity identity_schema_version object_kind config_addr objects object_addr failure_messages`) {
		names[name] = true
	}
	return names
}
