// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A reader makes a Config of the items of one file.
type reader struct {
	filename string
	src      []byte
	tool     addrs.Tool
	env      *Environment // or nil
	cfg      *Config
	seen     map[string]bool // blocks that are allowed once

	// The last place that was looked for: its offset, the number of line ends before
	// it, and the offset of its line.
	at, lines, line int
}

// ignoredSettings are the settings of the tools that this package does not use,
// in lower case.
var ignoredSettings = map[string]bool{
	"disable_checkpoint": true, "disable_checkpoint_signature": true, "providers": true, "provisioners": true,
}

func (r *reader) read(items []item) {
	r.seen = map[string]bool{}
	for _, it := range items {
		// The tools ignore case here, except in the newer blocks.
		name := it.name
		if low := strings.ToLower(name); low == "plugin_cache_dir" || low == "credentials" || low == "host" || low == "credentials_helper" ||
			low == "plugin_cache_may_break_dependency_lock_file" || ignoredSettings[low] {
			name = low
		}
		var err *fault
		if r.tool == addrs.Terraform && (name == "registry_protocols" || name == "oci_credentials" || name == "oci_default_credentials") {
			r.extra(it) // only OpenTofu has these
			continue
		}
		switch name {
		case "plugin_cache_dir":
			if it.value == (null{}) {
				continue
			}
			var dir string
			if dir, err = it.text(); err == nil {
				r.cfg.PluginCacheDir = r.env.expand(dir)
			}
		case "plugin_cache_may_break_dependency_lock_file":
			r.cfg.PluginCacheMayBreakLock, err = it.flag() // false if there is an error
		case "credentials", "host", "credentials_helper", "oci_credentials":
			err = r.labelled(name, it)
		case "registry_protocols":
			err = r.registryProtocols(it)
		case "provider_installation":
			err = r.installation(it)
		case "oci_default_credentials":
			err = r.ociDefaults(it)
		default:
			if !ignoredSettings[name] {
				r.extra(it)
			}
		}
		if err != nil {
			r.fail(name, err)
		}
	}
}

// maxFaults bounds the faults that are kept. The first few say what is wrong.
const maxFaults = 100

// fail keeps a fault of a setting, or of the whole file.
func (r *reader) fail(setting string, f *fault) {
	if n := len(r.cfg.Faults); n >= maxFaults && (setting != "host" && setting != "provider_installation" || r.cfg.CheckSources() != nil) {
		return
	}
	e := &Error{Filename: r.filename, Setting: setting, Err: f.cause}
	e.setPlace(r.src, f.offset)
	r.cfg.Faults = append(r.cfg.Faults, e)
}

// extra keeps a setting that the tool does not have.
func (r *reader) extra(it item) {
	line, column := r.warn(it.offset, fmt.Sprintf("%q is unknown and ignored", printable.Line(it.name, 100)))
	s := Setting{Filename: r.filename, Line: line, Column: column, Name: printable.Line(it.name, 100)}
	if it.offset <= it.end && it.end <= len(r.src) {
		s.Source = string(r.src[it.offset:it.end])
	}
	r.cfg.Extra = append(r.cfg.Extra, s)
}

// warn adds a warning about the text at an offset, and returns its line and
// column.
func (r *reader) warn(offset int, text string) (line, column int) {
	offset = min(offset, len(r.src))
	if offset < r.at {
		r.at, r.lines, r.line = 0, 0, 0
	}
	between := r.src[r.at:offset]
	r.lines += bytes.Count(between, []byte{'\n'})
	if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
		r.line = r.at + i + 1
	}
	r.at = offset
	line, column = 1+r.lines, 1+offset-r.line
	if len(r.cfg.Warnings) < 20 {
		r.cfg.Warnings = append(r.cfg.Warnings, fmt.Sprintf("%s:%d,%d: %s", r.filename, line, column, text))
	}
	return line, column
}

// labelled reads blocks with a label. In JSON, and in an object, the label is a
// member.
func (r *reader) labelled(name string, it item) *fault {
	read := map[string]func(string, item) *fault{
		"credentials": r.credentials, "host": r.host, "credentials_helper": r.helper, "oci_credentials": r.ociCredentials,
	}[name]
	switch {
	case it.body == nil:
		return it.errorf("%s is not a block", name)
	case name == "oci_credentials" && it.assigned && !it.json:
		return it.errorf("%s must not have an equals sign", name)
	case len(it.labels) == 1:
		return read(it.labels[0], it)
	case len(it.labels) > 1:
		return it.errorf("%s has more than one label", name)
	}
	for _, member := range it.body {
		if member.body == nil {
			return it.errorf("%s needs a label", name)
		}
		if err := read(member.name, member); err != nil {
			r.fail(name, err)
		}
	}
	return nil
}

func (r *reader) credentials(label string, it item) *fault {
	host, ok := ParseHost(label)
	if !ok {
		return it.errorf("%q is not a host name", printable.Line(printable.Address(label), 100))
	}
	if token, ok := it.find("token"); ok {
		if s, ok := token.value.(string); ok && s != "" {
			r.cfg.Credentials[host] = s
		}
	}
	return nil
}

func (r *reader) host(label string, it item) *fault {
	host, ok := ParseHost(label)
	if !ok {
		return it.errorf("%q is not a host name", printable.Line(printable.Address(label), 100))
	}
	services := map[string]string{}
	for _, m := range it.body {
		if !strings.EqualFold(m.name, "services") {
			continue
		}
		if m.body == nil {
			return m.errorf("services is not an object")
		}
		for _, s := range m.body {
			if text, ok := s.value.(string); ok {
				services[s.name] = text
			}
		}
	}
	r.cfg.Services[host] = services
	return nil
}

func (r *reader) helper(label string, it item) *fault {
	if r.cfg.HelperName != "" && r.cfg.HelperName != label {
		return it.errorf("there is more than one credentials_helper")
	}
	if label == "" || strings.ContainsAny(label, "/\\\x00") {
		return it.errorf("%q is not the name of a credentials helper", printable.Line(label, 100))
	}
	args, err := it.texts("args")
	if err == nil {
		r.cfg.HelperName, r.cfg.HelperArgs = label, args
	}
	return err
}

func (r *reader) registryProtocols(it item) *fault {
	if it.body == nil {
		return it.errorf("registry_protocols is not a block")
	}
	if r.seen[it.name] {
		return it.errorf("registry_protocols occurs twice")
	}
	r.seen[it.name] = true
	for name, set := range map[string]func(int){
		"retry_count":             func(n int) { r.cfg.Retries = n },
		"request_timeout_seconds": func(n int) { r.cfg.Timeout = time.Duration(n) * time.Second },
	} {
		n, found, err := it.number(name)
		if err != nil {
			return err
		}
		if found && n >= 0 { // a negative number counts as missing
			set(n)
		}
	}
	return nil
}

// block checks that an item is a block without labels that occurs once.
func (r *reader) block(it item) *fault {
	switch {
	case it.assigned && !it.json:
		return it.errorf("%s must not have an equals sign", it.name)
	case len(it.labels) > 0:
		return it.errorf("%s must not have a label", it.name)
	case it.body == nil:
		return it.errorf("%s is not a block", it.name)
	case r.seen[it.name]:
		return it.errorf("there is more than one %s", it.name)
	}
	r.seen[it.name] = true
	return nil
}
