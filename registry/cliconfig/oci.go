// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/internal/printable"
)

func (r *reader) ociCredentials(label string, it item) *fault {
	c := OCICredentials{Prefix: label}
	domain, repository, deeper := strings.Cut(label, "/")
	if !ociDomain().MatchString(domain) || deeper && !ociRepository().MatchString(repository) {
		return it.errorf("%q is not the address of an OCI repository", printable.Line(label, 100))
	}
	set := map[string]bool{}
	for name, to := range map[string]*string{
		"username": &c.Username, "password": &c.Password, "access_token": &c.AccessToken, "refresh_token": &c.RefreshToken, "docker_credentials_helper": &c.Helper,
	} {
		if a, ok := it.find(name); ok {
			var err *fault
			if *to, err = a.text(); err != nil {
				return err
			}
			set[name] = true
		}
	}
	basic, oauth, helper := set["username"] || set["password"], set["access_token"] || set["refresh_token"], set["docker_credentials_helper"]
	switch {
	case !basic && !oauth && !helper, basic && oauth, basic && helper, oauth && helper:
		return it.errorf("oci_credentials needs either username and password, access_token and refresh_token, or docker_credentials_helper")
	case basic && (!set["username"] || !set["password"]):
		return it.errorf("oci_credentials needs both username and password")
	case oauth && (!set["access_token"] || !set["refresh_token"]):
		return it.errorf("oci_credentials needs both access_token and refresh_token")
	case helper && repository != "":
		return it.errorf("a docker_credentials_helper is for a whole domain, not for a repository")
	case helper && !helperName().MatchString(c.Helper):
		return it.errorf("%q is not the name of a credentials helper", printable.Line(c.Helper, 60))
	}
	if key := "oci_credentials " + label; r.seen[key] {
		return it.errorf("there is more than one oci_credentials for %q", printable.Line(label, 100))
	} else {
		r.seen[key] = true
	}
	r.cfg.OCICredentials = append(r.cfg.OCICredentials, c)
	return nil
}

// The parts of the address of an OCI repository. Digits alone are a port.
var (
	ociDomain     = lazy.Regexp(`^[^\s/?#@\\:\[\]]+(:[0-9]*)?$|^\[[0-9A-Fa-f:.]+\](:[0-9]*)?$`)
	ociRepository = lazy.Regexp(`^` + ociName + `(/` + ociName + `)*$`)
)

const ociName = `[a-z0-9]+((\.|__?|-+)[a-z0-9]+)*`

// helperName matches what can be part of the name of a program.
var helperName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func (r *reader) ociDefaults(it item) *fault {
	if err := r.block(it); err != nil {
		return err
	}
	d := &OCIDefaults{Discover: true}
	if a, ok := it.find("discover_ambient_credentials"); ok {
		var err *fault
		if d.Discover, err = a.flag(); err != nil {
			return err
		}
	}
	if _, ok := it.find("docker_style_config_files"); ok {
		if !d.Discover {
			return it.errorf("docker_style_config_files has no effect without discover_ambient_credentials")
		}
		files, err := it.texts("docker_style_config_files")
		if err != nil {
			return err
		}
		d.ConfigFiles = []string{}
		for _, f := range files {
			if f = r.env.expandHome(f); !filepath.IsAbs(f) {
				f = filepath.Join(filepath.Dir(r.filename), f)
			}
			d.ConfigFiles = append(d.ConfigFiles, f)
		}
	}
	if a, ok := it.find("docker_credentials_helper"); ok {
		var err *fault
		if d.Helper, err = a.text(); err != nil {
			return err
		}
		if !helperName().MatchString(d.Helper) {
			return it.errorf("%q is not the name of a credentials helper", printable.Line(d.Helper, 60))
		}
	}
	r.cfg.OCIDefaults = d
	return nil
}

// checkTemplate checks the repository_template of an OCI mirror. It may use the
// three parts of a provider's address, and must use each part that the patterns
// do not determine. A template that does more than insert them is kept as
// written.
func checkTemplate(template string, include []Pattern) error {
	used := map[string]bool{}
	plain := !strings.Contains(template, "%{")
	var sample strings.Builder // the address of some provider
	for rest := template; ; {
		before, after, ok := strings.Cut(rest, "${")
		sample.WriteString(before)
		if !ok {
			break
		}
		if strings.HasSuffix(before, "$") {
			return errors.New(`"$${" cannot be part of an address`)
		}
		depth, end := 1, -1
		for i := 0; i < len(after) && depth > 0; i++ {
			switch after[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return fmt.Errorf("a %q is not closed", "${")
		}
		expr := templateString().ReplaceAllString(after[:end], `""`)
		sample.WriteString("x")
		plain = plain && slices.Contains([]string{"hostname", "namespace", "type"}, strings.TrimSpace(expr))
		for _, at := range templateName().FindAllStringIndex(expr, -1) {
			name := expr[at[0]:at[1]]
			before, behind := strings.TrimRight(expr[:at[0]], " \t"), strings.TrimLeft(expr[at[1]:], " \t")
			switch name {
			case "hostname", "namespace", "type":
			case "true", "false", "null":
				continue
			default:
				if strings.HasPrefix(behind, "=") || strings.HasPrefix(behind, ":") || strings.HasSuffix(before, ".") {
					continue // the name of an attribute
				}
				return fmt.Errorf("%q is not one of hostname, namespace and type", printable.Line(name, 60))
			}
			if behind != "" && strings.ContainsAny(behind[:1], "[.+-*/%") || before != "" && strings.ContainsAny(before[len(before)-1:], "+-*/%") {
				return fmt.Errorf("%s is a string", name)
			}
			used[name] = true
		}
		rest = after[end+1:]
	}
	parts := map[string]map[string]bool{"hostname": {}, "namespace": {}, "type": {}}
	for _, p := range include {
		parts["hostname"][p.host], parts["namespace"][p.namespace], parts["type"][p.typ] = true, true, true
	}
	for _, name := range []string{"hostname", "namespace", "type"} {
		delete(parts[name], "*")
		if !used[name] && len(parts[name]) != 1 {
			return fmt.Errorf("it must refer to %s, unless the include patterns name exactly one", name)
		}
	}
	domain, repository, ok := strings.Cut(sample.String(), "/")
	if !ok || plain && (!ociDomain().MatchString(domain) || !ociRepository().MatchString(repository)) {
		return errors.New("it is not the address of an OCI repository")
	}
	return nil
}

var (
	templateString = lazy.Regexp(`"(?:[^"\\]|\\.)*"`)
	templateName   = lazy.Regexp(`[A-Za-z_][A-Za-z0-9_-]*`)
)
