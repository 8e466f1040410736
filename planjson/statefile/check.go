// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
)

// check returns an error for what the tools refuse to read.
func (f *File) check() error {
	c := checker{file: f}
	c.header()
	c.outputs()
	c.resources()
	c.checks()
	return c.err
}

// A checker checks a state. It stops at the first fault.
type checker struct {
	file *File
	err  error

	module, provider, instanceProvider string // the last ones that were good

	good    map[string]struct{} // texts of other members that were good, with a letter for the member before
	bytes   int                 // that they take
	scratch []byte
}

// fail takes note of a fault at a path, unless there is one already.
func (c *checker) fail(err error, path ...any) {
	if c.err != nil {
		return
	}
	at := placeOf(c.file.src.Text(), path...)
	at.Err = err
	c.err = at
}

// invalid is fail for a fault in words.
func (c *checker) invalid(path []any, format string, args ...any) {
	c.fail(fmt.Errorf("%w: %w", ErrInvalid, fmt.Errorf(format, args...)), path...)
}

// goVersion matches the versions that the tools accept here, which are more than
// those of releases.
var goVersion = sync.OnceValue(func() *regexp.Regexp {
	const part = `[0-9A-Za-z\-~]+`
	return regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)*(-[0-9]+[0-9A-Za-z\-~]*(\.` + part + `)*|-?[A-Za-z\-~]+[0-9A-Za-z\-~]*(\.` + part + `)*)?(\+` + part + `(\.` + part + `)*)?$`)
})

func (c *checker) header() {
	c.numbers()
	c.version()
}

// version checks the version of the tool.
func (c *checker) version() {
	v := c.file.TerraformVersion
	if v == "" {
		return
	}
	if _, err := addrs.ParseVersion(v); err != nil && !goVersion().MatchString(v) {
		c.invalid([]any{"terraform_version"}, "this is not the version of a release")
	}
}

// numbers checks how the serial and the version are spelled: the tools read only
// digits.
func (c *checker) numbers() {
	left := 2
	r := jsonscan.Items{Text: c.file.src.Text(), Valid: true}
	for open := r.Open('{'); open && left > 0 && r.Member(); {
		for _, name := range []string{"version", "serial"} {
			if !r.Named(name) {
				continue
			}
			left--
			if v := planjson.Value(r.Value()); !plainNumber(v) && !v.IsNull() {
				c.invalid([]any{name}, "a whole number without point and exponent is required")
			}
		}
	}
}

// outputs checks that values are of their types.
func (c *checker) outputs() {
	for _, name := range sortedNames(c.file.Outputs) {
		o := c.file.Outputs[name]
		if o == nil || c.err != nil {
			continue
		}
		if _, err := planjson.ParseType(o.Type); err != nil && !errors.Is(err, ErrLimit) {
			c.invalid([]any{"outputs", name, "type"}, "%w", causeOf(err))
			continue
		}
		if _, err := o.Cty(); err != nil && !errors.Is(err, ErrLimit) {
			c.invalid([]any{"outputs", name, "value"}, "the value is not of the output's type: %w", causeOf(err))
		}
	}
}

func (c *checker) resources() {
	sorted := true
	for i, r := range c.file.Resources {
		c.resource(i, r)
		for k, o := range r.Instances {
			c.instance(i, k, r, o)
			sorted = sorted && (k == 0 || before(r.Instances[k-1], o))
		}
		if i > 0 && sorted {
			sorted = resourceBefore(c.file.Resources[i-1], r)
		}
		if c.err != nil {
			return
		}
	}
	if !sorted {
		c.doubled()
	}
}

// resource checks what a resource says of all its instances.
func (c *checker) resource(i int, r *Resource) {
	at := func(name string) []any { return []any{"resources", i, name} }
	if r.Mode != addrs.Managed && r.Mode != addrs.Data {
		c.invalid(at("mode"), "%q is not the mode of a resource in a state", short(string(r.Mode)))
	}
	for _, name := range []struct{ member, value string }{{"type", r.Type}, {"name", r.Name}} {
		if plainName(name.value) {
			continue
		}
		if _, err := addrs.NewResource(addrs.Managed, name.value, name.value); err != nil {
			c.invalid(at(name.member), "%w", err)
		}
	}
	if r.Module != "" && r.Module != c.module {
		if m, err := addrs.ParseModuleInstance(r.Module); err != nil {
			c.invalid(at("module"), "%w", err)
		} else if m.IsPlaceholder() {
			c.invalid(at("module"), "the address of a module instance in a state has all its keys")
		} else {
			c.module = r.Module
		}
	}
	if r.Provider != "" && r.Provider != c.provider {
		if err := checkProvider(r.Provider); err != nil {
			c.invalid(at("provider"), "%w", err)
		} else if p, err := addrs.ParseAbsProviderConfig(r.Provider); err == nil && !p.Key().IsNone() {
			c.invalid(at("provider"), "the provider of a resource has no key; its instances can have one each")
		} else {
			c.provider = r.Provider
		}
	}
}

// short cuts a text for a message.
func short(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// plainName reports whether s is an identifier of ASCII letters, digits, "_" and
// "-", as nearly all are.
func plainName(s string) bool {
	for i := range len(s) {
		b := s[i]
		letter := 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_'
		if !letter && (i == 0 || b != '-' && (b < '0' || b > '9')) {
			return false
		}
	}
	return s != ""
}

// checkProvider checks the address of a provider configuration, also in the form
// of releases before Terraform 0.13.
func checkProvider(s string) error {
	_, err := addrs.ParseAbsProviderConfig(s)
	if err == nil {
		return nil
	}
	if _, _, ok := legacyProvider(s); ok {
		return nil
	}
	if c, err := addrs.ParseRecordedProvider(s); err == nil && legacyForm().MatchString(s) && (c.Provider().IsLegacy() || c.Provider().IsBuiltIn()) {
		return nil
	}
	return err
}

// legacyForm matches the beginning of addresses that name a provider by its type.
var legacyForm = lazy.Regexp(`^(\x{FEFF})?\s*(provider|module)\s*\.`)

// legacyProvider splits an address such as module.a.provider.aws.west into the
// provider's local name and the alias, also where that is no type of a provider today.
func legacyProvider(s string) (name, alias string, ok bool) {
	steps := strings.Split(s, ".")
	for len(steps) > 2 && steps[0] == "module" && plainName(steps[1]) {
		steps = steps[2:]
	}
	if len(steps) < 2 || len(steps) > 3 || steps[0] != "provider" || !plainName(steps[1]) {
		return "", "", false
	}
	if len(steps) == 3 {
		return steps[1], steps[2], plainName(steps[2])
	}
	return steps[1], "", true
}

// instance checks an object of a resource's instances.
func (c *checker) instance(i, k int, r *Resource, o *InstanceObject) {
	at := func(name string) []any { return []any{"resources", i, "instances", k, name} }
	if o.IndexKey != nil && !o.IndexKey.IsNull() {
		if _, err := keyOf(o.IndexKey); err != nil {
			c.invalid(at("index_key"), "%w", err)
		}
	}
	if o.Status != StatusReady && o.Status != StatusTainted {
		c.invalid(at("status"), "%q is not the status of an instance", short(string(o.Status)))
	}
	if o.Deposed != "" && len(o.Deposed) != 8 {
		c.invalid(at("deposed"), "%q is not the key of a deposed object, which has eight characters", short(o.Deposed))
	}
	switch {
	case o.Provider == "" && r.Provider == "":
		c.invalid(at("provider"), "neither the resource nor the instance has a provider")
	case o.Provider != "" && o.Provider != c.instanceProvider:
		if err := checkProvider(o.Provider); err != nil {
			c.invalid(at("provider"), "%w", err)
		} else {
			c.instanceProvider = o.Provider
		}
		if k > 0 && !sameConfig(r.Instances[k-1].Provider, o.Provider) {
			c.invalid(at("provider"), "the instances of one resource have different providers")
		}
	}
	if o.Private != "" && !known(c, 'p', o.Private) {
		if _, err := base64.StdEncoding.DecodeString(o.Private); err != nil {
			c.invalid(at("private"), "not in base64")
		} else {
			c.remember('p', o.Private)
		}
	}
	if !plainVersion(o) {
		c.invalid(at("schema_version"), "a whole number without sign, point and exponent is required")
	}
	if text := o.SensitiveAttributes; len(text) > 0 && string(text) != "[]" && text[0] != 'n' && !known(c, 's', text) {
		if _, err := o.SensitivePaths(); err != nil {
			c.fail(err, at("sensitive_attributes")...)
		} else {
			c.remember('s', string(text))
		}
	}
	for d, address := range o.Dependencies {
		if err := c.dependency(address); err != nil {
			c.invalid(append(at("dependencies"), d), "%w", err)
		}
	}
}

// plainVersion reports whether the version of an object's schema is spelled as the
// tools read it. It looks no further than to the first one, which is near the beginning.
func plainVersion(o *InstanceObject) bool {
	r := jsonscan.Items{Text: o.src.Own(), Valid: true}
	for open := r.Open('{'); open && r.Member(); {
		if r.Named("schema_version") {
			v := planjson.Value(r.Value())
			return plainNumber(v) || v.IsNull()
		}
	}
	return true
}

// dependency returns an error if an address is not that of a dependency.
func (c *checker) dependency(address string) error {
	if plainAddress(address) || known(c, 'd', address) {
		return nil
	}
	a, err := addrs.ParseAbsResource(address)
	if err == nil && a.Module().IsPlaceholder() {
		err = errors.New("the address of a dependency has no placeholder for a key")
	}
	if err == nil {
		c.remember('d', address)
	}
	return err
}

// plainAddress reports whether s is the address of a managed resource of the root module
// that need not be parsed: no word of the language has a "_".
func plainAddress[T ~string | ~[]byte](s T) bool {
	dot, under := -1, false
	for i := range len(s) {
		switch b := s[i]; {
		case b == '.' && dot < 0 && under:
			dot = i
		case b == '_':
			under = true
		case 'a' <= b|0x20 && b|0x20 <= 'z':
		case i != 0 && i != dot+1 && (b == '-' || '0' <= b && b <= '9'):
		default:
			return false
		}
	}
	return dot > 0 && dot < len(s)-1
}

// remembered is how many bytes of good texts a checker remembers.
const remembered = 1 << 20

// known reports whether a text of this kind was good before.
func known[T ~string | ~[]byte](c *checker, kind byte, text T) bool {
	c.scratch = append(append(c.scratch[:0], kind), text...)
	_, ok := c.good[string(c.scratch)]
	return ok
}

// remember takes note of a text that need not be looked at again. Long ones hardly come
// again.
func (c *checker) remember(kind byte, text string) {
	if len(text) > remembered/256 {
		return
	}
	if c.good == nil || c.bytes+len(text) > remembered {
		c.good, c.bytes = make(map[string]struct{}), 0
	}
	c.good[string(append([]byte{kind}, text...))] = struct{}{} // not the text that it is in
	c.bytes += len(text) + 64
}

// private reports whether the value of a member of this name, nil if absent, needs no
// closer look.
func (c *checker) private(v planjson.Value) bool {
	if v == nil {
		return true
	}
	if !plainText(v) {
		return false
	}
	n := base64.StdEncoding.DecodedLen(len(v) - 2)
	c.scratch = slices.Grow(c.scratch[:0], n)
	_, err := base64.StdEncoding.Decode(c.scratch[:n], v[1:len(v)-1])
	return err == nil
}

// sensitive is the same for the paths of sensitive attributes.
func (c *checker) sensitive(v planjson.Value) bool {
	if v == nil || string(v) == "[]" || known(c, 's', v) {
		return true
	}
	if _, err := (&InstanceObject{SensitiveAttributes: v}).SensitivePaths(); err != nil {
		return false
	}
	c.remember('s', string(v))
	return true
}

// dependencies is the same for addresses.
func (c *checker) dependencies(v planjson.Value) bool {
	if v == nil {
		return true
	}
	r := jsonscan.Items{Text: v, Valid: true}
	if !r.Open('[') {
		return false
	}
	for r.Element() {
		address := planjson.Value(r.Value())
		if !plainText(address) || !plainAddress(address[1:len(address)-1]) && c.dependency(string(address[1:len(address)-1])) != nil {
			return false
		}
	}
	return true
}

// sameConfig reports whether two addresses of provider configurations differ at
// most in their keys. An empty one is like any other.
func sameConfig(a, b string) bool {
	if a == b || a == "" || b == "" {
		return true
	}
	p, err := addrs.ParseAbsProviderConfig(a)
	q, err2 := addrs.ParseAbsProviderConfig(b)
	return err != nil || err2 != nil || p.Module() == q.Module() && p.Provider() == q.Provider() && p.Alias() == q.Alias()
}

// before reports whether a comes before b in the tools' order, as far as that is
// seen at a glance.
func before(a, b *InstanceObject) bool {
	x, y := a.IndexKey, b.IndexKey
	switch {
	case string(x) == string(y):
		return a.Deposed < b.Deposed
	case x == nil:
		return true
	case y == nil:
		return false
	case plainText(x) && plainText(y):
		return string(x[1:len(x)-1]) < string(y[1:len(y)-1])
	case plainNumber(x) && plainNumber(y):
		return len(x) < len(y) || len(x) == len(y) && string(x) < string(y)
	}
	return plainNumber(x) && plainText(y)
}

// plainText reports whether a valid value is a string without escapes.
func plainText(v planjson.Value) bool {
	if len(v) < 2 || v[0] != '"' {
		return false
	}
	for _, b := range v {
		if b == '\\' {
			return false
		}
	}
	return true
}

// plainNumber reports whether a valid value is a natural number, in digits alone.
func plainNumber(v planjson.Value) bool {
	for _, b := range v {
		if b < '0' || b > '9' {
			return false
		}
	}
	return len(v) > 0
}

// resourceBefore reports whether a comes before b.
func resourceBefore(a, b *Resource) bool {
	switch {
	case a.Module != b.Module:
		return a.Module < b.Module
	case a.Mode != b.Mode:
		return a.Mode < b.Mode
	case a.Type != b.Type:
		return a.Type < b.Type
	}
	return a.Name < b.Name
}

// doubled looks for objects that occur twice.
func (c *checker) doubled() {
	type object struct {
		module addrs.ModuleInstance // addresses can be spelled in several ways
		mode   addrs.Mode
		typ    string
		name   string
		key    addrs.InstanceKey
		dep    string
	}
	seen := make(map[object]struct{})
	for i, r := range c.file.Resources {
		var o object
		if r.Module != "" {
			o.module, _ = addrs.ParseModuleInstance(r.Module)
		}
		o.mode, o.typ, o.name = r.Mode, r.Type, r.Name
		for k, is := range r.Instances {
			o.key, o.dep = is.Key(), is.Deposed
			if _, ok := seen[o]; ok {
				what := "the resource instance"
				if is.Deposed != "" {
					what = "the deposed object"
				}
				c.invalid([]any{"resources", i, "instances", k}, "%s occurs twice in the state", what)
				return
			}
			seen[o] = struct{}{}
		}
	}
}

func (c *checker) checks() {
	for i, r := range c.file.CheckResults {
		kind, known := checkableKinds[r.ObjectKind]
		if !known {
			continue // of a later release
		}
		if address, err := addrs.ParseCheckable(kind, r.ConfigAddr); err != nil {
			c.invalid([]any{"check_results", i, "config_addr"}, "%w", err)
		} else if address.Config() != address {
			c.invalid([]any{"check_results", i, "config_addr"}, "the address of a block in the configuration has no instance keys")
		}
		for k, o := range r.Objects {
			if _, err := addrs.ParseCheckable(kind, o.ObjectAddr); err != nil {
				c.invalid([]any{"check_results", i, "objects", k, "object_addr"}, "%w", err)
			}
		}
	}
}

// checkableKinds has the kinds of checked objects by their names in states.
var checkableKinds = map[string]addrs.CheckableKind{
	"resource": addrs.CheckableResource,
	"output":   addrs.CheckableOutput,
	"check":    addrs.CheckableCheck,
	"var":      addrs.CheckableVariable,
}
