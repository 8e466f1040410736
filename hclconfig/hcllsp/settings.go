// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// settings are what the client sets.
type settings struct {
	tool     string
	release  string
	schemas  string
	varFiles []string
	lint     lintSettings
	log      string // or empty, if it is not set
}

type lintSettings struct {
	enabled    bool
	config     string
	only, skip []string
}

func defaultSettings() settings {
	return settings{tool: "auto", lint: lintSettings{enabled: true}}
}

// dialect returns the dialect of the files: that of OpenTofu, unless the settings name Terraform.
func (s settings) dialect() hclconfig.Dialect {
	d := hclconfig.OpenTofu
	if s.tool == "terraform" {
		d = hclconfig.Terraform
	}
	if s.release != "" {
		if v, ok := release(s.release); ok {
			d = d.At(v)
		}
	}
	return d
}

// release reads a release such as 1.9 or 1.9.4.
func release(text string) (addrs.Version, bool) {
	for _, t := range []string{text, text + ".0", text + ".0.0"} {
		if v, err := addrs.ParseVersion(t); err == nil {
			return v, true
		}
	}
	return addrs.Version{}, false
}

// readSettings reads an object of settings. What has the wrong type, or is not known, has its
// default; the faults say so.
func readSettings(raw json.RawMessage) (s settings, faults []string) {
	s = defaultSettings()
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, null) {
		return s, nil
	}
	read := func(raw json.RawMessage, at string, fields map[string]any) {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			faults = append(faults, fmt.Sprintf("%s is not an object", at))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			into, ok := fields[key]
			switch {
			case !ok:
				faults = append(faults, fmt.Sprintf("there is no setting %s.%s", at, key))
			case set(object[key], into) != nil:
				faults = append(faults, fmt.Sprintf("the setting %s.%s has the wrong type", at, key))
			}
		}
	}
	var lint json.RawMessage
	read(raw, "tofuwire", map[string]any{
		"tool": &s.tool, "release": &s.release, "schemas": &s.schemas, "varFiles": &s.varFiles, "lint": &lint, "log": &s.log,
	})
	if lint != nil && !bytes.Equal(bytes.TrimSpace(lint), null) {
		read(lint, "tofuwire.lint", map[string]any{
			"enabled": &s.lint.enabled, "config": &s.lint.config, "only": &s.lint.only, "skip": &s.lint.skip,
		})
	}
	if !slices.Contains([]string{"auto", "tofu", "terraform"}, s.tool) {
		faults = append(faults, fmt.Sprintf("tofuwire.tool is %q, which is not auto, tofu or terraform", s.tool))
		s.tool = "auto"
	}
	if _, ok := release(s.release); s.release != "" && !ok {
		faults = append(faults, fmt.Sprintf("tofuwire.release is %q, which is no release", s.release))
		s.release = ""
	}
	if s.log != "" && !slices.Contains(logLevels, s.log) {
		faults = append(faults, fmt.Sprintf("tofuwire.log is %q, which is not off, error, info or debug", s.log))
		s.log = ""
	}
	return s, faults
}

// set stores a value where into points, unless it has another type; null is no value.
func set(raw json.RawMessage, into any) error {
	if bytes.Equal(bytes.TrimSpace(raw), null) {
		return nil
	}
	at := reflect.ValueOf(into).Elem()
	fresh := reflect.New(at.Type())
	if err := json.Unmarshal(raw, fresh.Interface()); err != nil {
		return err
	}
	at.Set(fresh.Elem())
	return nil
}

// logLevels are the levels of the log, from the quietest.
var logLevels = []string{"off", "error", "info", "debug"}

// path returns a path of the settings: relative to the first folder or, without one, to dir.
func (v *view) path(name, dir string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	for _, f := range v.folders {
		if contains(f, dir) {
			return filepath.Join(f, name)
		}
	}
	if len(v.folders) > 0 {
		dir = v.folders[0]
	}
	return filepath.Join(dir, name)
}
