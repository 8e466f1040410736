// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A cliReader makes a CLIConfig of the items of one file.
type cliReader struct {
	filename string
	src      []byte
	tool     addrs.Tool
	env      *CLIEnvironment // or nil
	cfg      *CLIConfig
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

func (r *cliReader) read(items []hclItem) *hclError {
	r.seen = map[string]bool{}
	for _, it := range items {
		// The tools ignore case here, except in the newer blocks.
		name := it.name
		if low := strings.ToLower(name); low == "plugin_cache_dir" || low == "credentials" || low == "host" || low == "credentials_helper" ||
			low == "plugin_cache_may_break_dependency_lock_file" || ignoredSettings[low] {
			name = low
		}
		var err *hclError
		if r.tool == addrs.Terraform && (name == "registry_protocols" || name == "oci_credentials" || name == "oci_default_credentials") {
			r.unknown(it) // only OpenTofu has these
			continue
		}
		switch name {
		case "plugin_cache_dir":
			if it.value == (hclNull{}) {
				continue
			}
			var dir string
			if dir, err = it.text(); err == nil {
				r.cfg.PluginCacheDir = r.env.expand(dir)
			}
		case "plugin_cache_may_break_dependency_lock_file":
			r.cfg.PluginCacheMayBreakLock, err = it.flag()
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
				r.unknown(it)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unknown keeps a setting that the tool does not have.
func (r *cliReader) unknown(it hclItem) {
	line, column := r.warn(it.offset, fmt.Sprintf("%q is unknown and ignored", clean(it.name, 100)))
	u := UnknownSetting{Filename: r.filename, Line: line, Column: column, Name: clean(it.name, 100)}
	if it.offset <= it.end && it.end <= len(r.src) {
		u.Source = string(r.src[it.offset:it.end])
	}
	r.cfg.Unknown = append(r.cfg.Unknown, u)
}

// warn adds a warning about the text at an offset, and returns its line and
// column.
func (r *cliReader) warn(offset int, text string) (line, column int) {
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
		r.cfg.Warnings = append(r.cfg.Warnings, fmt.Sprintf("%s: line %d, column %d: %s", r.filename, line, column, text))
	}
	return line, column
}

// labelled reads blocks with a label. In JSON, and in an object, the label is a
// member.
func (r *cliReader) labelled(name string, it hclItem) *hclError {
	read := map[string]func(string, hclItem) *hclError{
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
			return err
		}
	}
	return nil
}

func (r *cliReader) credentials(label string, it hclItem) *hclError {
	host, ok := parseHost(label)
	if !ok {
		return it.errorf("%q is not a host name", clean(label, 100))
	}
	if token, ok := it.find("token"); ok {
		if s, ok := token.value.(string); ok && s != "" {
			r.cfg.Credentials[host] = s
		}
	}
	return nil
}

func (r *cliReader) host(label string, it hclItem) *hclError {
	host, ok := parseHost(label)
	if !ok {
		return it.errorf("%q is not a host name", clean(label, 100))
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

func (r *cliReader) helper(label string, it hclItem) *hclError {
	if r.cfg.HelperName != "" && r.cfg.HelperName != label {
		return it.errorf("there is more than one credentials_helper")
	}
	if label == "" || strings.ContainsAny(label, "/\\\x00") {
		return it.errorf("%q is not the name of a credentials helper", clean(label, 100))
	}
	args, err := it.texts("args")
	r.cfg.HelperName, r.cfg.HelperArgs = label, args
	return err
}

func (r *cliReader) registryProtocols(it hclItem) *hclError {
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
func (r *cliReader) block(it hclItem) *hclError {
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

func (r *cliReader) installation(it hclItem) *hclError {
	if err := r.block(it); err != nil {
		return err
	}
	r.cfg.Installation = []InstallationMethod{}
	for _, m := range it.body {
		switch {
		case m.assigned && !m.json, m.body == nil:
			return m.errorf("the items of provider_installation must be blocks")
		case len(m.labels) > 0:
			return m.errorf("the blocks of provider_installation have no labels")
		case m.name == "dev_overrides":
			if err := r.devOverrides(m); err != nil {
				return err
			}
			continue
		case m.json && !m.listed && len(m.body) == 0 && len(it.body) == 1:
			// The tools look through it, and see nothing.
			r.warn(m.offset, fmt.Sprintf("%q is ignored, as it is not in a list", clean(m.name, 60)))
			continue
		case m.json && !m.listed:
			return m.errorf("%q must be a list of objects", clean(m.name, 60))
		}
		method, err := r.method(m)
		if err != nil {
			return err
		}
		r.cfg.Installation = append(r.cfg.Installation, method)
	}
	return nil
}

func (r *cliReader) devOverrides(it hclItem) *hclError {
	if len(r.cfg.Installation) > 0 {
		return it.errorf("dev_overrides must be the first block of provider_installation")
	}
	if r.cfg.DevOverrides == nil {
		r.cfg.DevOverrides = map[addrs.Provider]string{}
	}
	for _, o := range it.body {
		p, err := r.provider(o.name)
		if err != nil {
			return o.errorf("dev_overrides: %w", err)
		}
		dir, bad := o.text()
		if bad != nil {
			return bad
		}
		r.cfg.DevOverrides[p] = filepath.Clean(r.env.expandHome(dir))
	}
	return nil
}

// provider parses a source address by the rules of the tool.
func (r *cliReader) provider(s string) (addrs.Provider, error) {
	p, err := addrs.ParseProvider(s)
	if err == nil && p.Host() == addrs.DefaultHost && r.tool == addrs.Terraform && strings.Count(s, "/") < 2 {
		p, err = addrs.NewProvider(defaultHost(r.tool), p.Namespace(), p.Type())
	}
	return p, err
}

// methodArguments are the arguments that each method needs.
var methodArguments = map[string]string{
	"direct": "", "filesystem_mirror": "path", "network_mirror": "url", "oci_mirror": "repository_template",
}

// method reads one block of provider_installation.
func (r *cliReader) method(it hclItem) (InstallationMethod, *hclError) {
	m := InstallationMethod{Kind: it.name, Retries: -1}
	needs, ok := methodArguments[it.name]
	if !ok || it.name == "oci_mirror" && r.tool == addrs.Terraform {
		return m, it.errorf("%q is not an installation method", clean(it.name, 60))
	}
	argument := ""
	if a, ok := it.find(needs); ok && needs != "" {
		var err *hclError
		if argument, err = a.text(); err != nil {
			return m, err
		}
	}
	if needs != "" && argument == "" {
		return m, it.errorf("%s needs the argument %s", it.name, needs)
	}
	for name, to := range map[string]*[]Pattern{"include": &m.Include, "exclude": &m.Exclude} {
		list, err := it.texts(name)
		if err != nil {
			return m, err
		}
		for _, s := range list {
			p, err := parsePattern(s, defaultHost(r.tool))
			if err != nil {
				return m, it.errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "registry: configuration: "))
			}
			*to = append(*to, p)
		}
	}
	switch it.name {
	case "filesystem_mirror":
		m.Path = r.env.expandHome(argument)
	case "network_mirror":
		m.URL = argument
		if !strings.HasPrefix(strings.ToLower(m.URL), "https://") {
			return m, it.errorf("a network_mirror needs an https URL")
		}
		if trust, ok := it.find("trust_all_hashes"); ok && r.tool != addrs.Terraform {
			var err *hclError
			if m.TrustAllHashes, err = trust.flag(); err != nil {
				return m, err
			}
		}
	case "oci_mirror":
		m.RepositoryTemplate = argument
		if err := checkTemplate(argument, m.Include); err != nil {
			return m, it.errorf("repository_template: %w", err)
		}
	}
	if (it.name == "direct" || it.name == "network_mirror") && r.tool != addrs.Terraform {
		n, found, err := it.number("download_retry_count")
		if err != nil {
			return m, err
		}
		if found {
			m.Retries = max(n, 0)
		}
	}
	return m, nil
}

func (r *cliReader) ociCredentials(label string, it hclItem) *hclError {
	c := OCICredentials{Prefix: label}
	domain, repository, deeper := strings.Cut(label, "/")
	if !ociDomain.MatchString(domain) || deeper && !ociRepository.MatchString(repository) {
		return it.errorf("%q is not the address of an OCI repository", clean(label, 100))
	}
	set := map[string]bool{}
	for name, to := range map[string]*string{
		"username": &c.Username, "password": &c.Password, "access_token": &c.AccessToken, "refresh_token": &c.RefreshToken, "docker_credentials_helper": &c.Helper,
	} {
		if a, ok := it.find(name); ok {
			var err *hclError
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
	case helper && !helperName.MatchString(c.Helper):
		return it.errorf("%q is not the name of a credentials helper", clean(c.Helper, 60))
	}
	for _, other := range r.cfg.OCICredentials {
		if other.Prefix == c.Prefix {
			return it.errorf("there is more than one oci_credentials for %q", clean(label, 100))
		}
	}
	r.cfg.OCICredentials = append(r.cfg.OCICredentials, c)
	return nil
}

// The parts of the address of an OCI repository. Digits alone are a port.
var (
	ociDomain     = regexp.MustCompile(`^[^\s/?#@\\:\[\]]+(:[0-9]*)?$|^\[[0-9A-Fa-f:.]+\](:[0-9]*)?$`)
	ociRepository = regexp.MustCompile(`^` + ociName + `(/` + ociName + `)*$`)
)

const ociName = `[a-z0-9]+((\.|__?|-+)[a-z0-9]+)*`

// helperName matches what can be part of the name of a program.
var helperName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func (r *cliReader) ociDefaults(it hclItem) *hclError {
	if err := r.block(it); err != nil {
		return err
	}
	d := &OCIDefaults{Discover: true}
	if a, ok := it.find("discover_ambient_credentials"); ok {
		var err *hclError
		if d.Discover, err = a.flag(); err != nil {
			return err
		}
	}
	if _, ok := it.find("docker_style_config_files"); ok {
		if !d.Discover {
			return it.errorf("docker_style_config_files is of no use without discover_ambient_credentials")
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
		var err *hclError
		if d.Helper, err = a.text(); err != nil {
			return err
		}
		if !helperName.MatchString(d.Helper) {
			return it.errorf("%q is not the name of a credentials helper", clean(d.Helper, 60))
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
			return errors.New(`"$${" is no part of an address`)
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
			return fmt.Errorf("a %q has no end", "${")
		}
		expr := templateString.ReplaceAllString(after[:end], `""`)
		sample.WriteString("x")
		plain = plain && slices.Contains([]string{"hostname", "namespace", "type"}, strings.TrimSpace(expr))
		for _, at := range templateName.FindAllStringIndex(expr, -1) {
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
				return fmt.Errorf("%q is not one of hostname, namespace and type", clean(name, 60))
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
			return fmt.Errorf("it must refer to %s, unless the patterns of include have exactly one", name)
		}
	}
	domain, repository, ok := strings.Cut(sample.String(), "/")
	if !ok || plain && (!ociDomain.MatchString(domain) || !ociRepository.MatchString(repository)) {
		return errors.New("it is not the address of an OCI repository")
	}
	return nil
}

var (
	templateString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	templateName   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_-]*`)
)

// find returns the last argument or block in the body that has the name, in any
// case.
func (it hclItem) find(name string) (hclItem, bool) {
	for i := len(it.body) - 1; i >= 0; i-- {
		if strings.EqualFold(it.body[i].name, name) {
			return it.body[i], true
		}
	}
	return hclItem{}, false
}

// text returns the value of an argument as a string. As in the tools, a number is
// one as well.
func (it hclItem) text() (string, *hclError) {
	switch v := it.value.(type) {
	case string:
		return v, nil
	case hclNumber:
		return string(v), nil
	}
	return "", it.errorf("%s is not a string", it.name)
}

// flag returns the value of an argument as a boolean. As in the tools, strings
// and numbers are errors.
func (it hclItem) flag() (bool, *hclError) {
	if v, ok := it.value.(bool); ok {
		return v, nil
	}
	return false, it.errorf("%s is neither true nor false", it.name)
}

// number returns the value of the argument of a body as a number.
func (it hclItem) number(name string) (int, bool, *hclError) {
	a, ok := it.find(name)
	if !ok {
		return 0, false, nil
	}
	text := ""
	switch v := a.value.(type) {
	case string:
		text = v
	case hclNumber:
		text = string(v)
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, false, a.errorf("%s is not a whole number", name)
	}
	return int(max(min(n, 1<<30), -1)), true, nil
}

// texts returns the value of the argument of a body as a list of strings. As in
// Terraform, several arguments are one list.
func (it hclItem) texts(name string) ([]string, *hclError) {
	var out []string
	for _, a := range it.body {
		if !strings.EqualFold(a.name, name) {
			continue
		}
		list, ok := a.value.([]any)
		if !ok {
			return nil, a.errorf("%s is not a list", name)
		}
		for _, e := range list {
			s, err := (hclItem{name: name, value: e, offset: a.offset}).text()
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}
