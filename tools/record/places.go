// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A Place is where a value may differ from run to run.
type Place struct {
	Path string         // the members on the way, "*" for an element of a list
	Blur *regexp.Regexp // what of it may differ; if nil, all of it
	Why  string
}

// Places are the places of values that differ from run to run, whatever the
// configuration is. Paths are from the top of a document or message.
var Places = []Place{
	{"/timestamp", nil, "when a plan was made"},
	{"/test_plan/timestamp", nil, "the same in a plan of a test"},
	{"/lineage", nil, "the name that a raw state gets when it is made"},
	{"/@timestamp", nil, "when a message was written"},
	{"/hook/elapsed_seconds", nil, "how long an operation took"},
	{"/@message", regexp.MustCompile(`\b(?:after|for) (?:\d+m)?\d+s\b|(?:\d+m)?\d+s elapsed|\[id=[^\]]*\]`), "how long an operation took, in words, and the identifier that hook/id_value has too"},
}

// allowed reports whether two leaves at the same place may differ because of
// [Places].
func allowed(path []string, old, new string) bool {
	at := "/" + strings.Join(path, "/")
	for _, p := range Places {
		if p.Path == at {
			return p.Blur == nil || p.Blur.ReplaceAllString(old, "#") == p.Blur.ReplaceAllString(new, "#")
		}
	}
	return false
}

// MadeUp has the attributes whose values a provider makes up, by the type of the
// resource. The type may be a prefix that ends in "_"; the attribute "*" is
// every attribute.
var MadeUp = []struct {
	Type  string
	Attrs []string
	Shape *regexp.Regexp // what such a value looks like; if nil, anything
}{
	{"null_resource", []string{"id"}, regexp.MustCompile(`^\d{15,19}$`)},
	{"terraform_data", []string{"id"}, uuid},
	{"random_pet", []string{"id"}, nil},
	{"random_integer", []string{"id", "result"}, nil},
	{"random_shuffle", []string{"result"}, nil},
	{"random_", []string{"id", "result", "hex", "dec", "b64_std", "b64_url", "base64", "bcrypt_hash"}, nil},
	{"time_static", []string{"*"}, nil},
	{"time_sleep", []string{"id"}, nil},
	{"tls_private_key", []string{"*"}, nil},
	{"tls_self_signed_cert", []string{"*"}, nil},
	{"lab_", []string{"revision", "endpoints", "network", "settings"}, regexp.MustCompile(`^(\d{1,5}|true|false)$`)},
	{"lab_", []string{"*"}, regexp.MustCompile(`^[a-z_]+-(?:[0-9a-f]{10}|[0-9a-f]{6}|[0-9a-f]{4})$`)},
	{"local_file", []string{"id", "content_base64", "content_md5", "content_sha1", "content_sha256", "content_base64sha256", "content_sha512", "content_base64sha512"}, nil},
	{"local_sensitive_file", []string{"id", "content_base64", "content_md5", "content_sha1", "content_sha256", "content_base64sha256", "content_sha512", "content_base64sha512"}, nil},
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// madeUp reports whether two different leaves are values that a provider made
// up, for a resource of the given type. The path is below the value of the
// resource.
func madeUp(typ string, path []string, old, new string) bool {
	if len(path) == 0 {
		return false
	}
	for _, m := range MadeUp {
		if m.Type != typ && !(strings.HasSuffix(m.Type, "_") && strings.HasPrefix(typ, m.Type)) {
			continue
		}
		if (m.Attrs[0] == "*" || slices.Contains(m.Attrs, path[0])) && (m.Shape == nil || m.Shape.MatchString(old) && m.Shape.MatchString(new)) {
			return true
		}
	}
	return false
}

// MadeUpProviders are the providers whose packages are built, or made anew, for
// each recording. Their hashes differ.
var MadeUpProviders = []string{"example/lab", "hashicorp/local", "hashicorp/null", "hashicorp/random", "hashicorp/time", "hashicorp/tls", "oddfiles/odd"}

var (
	lockProvider = regexp.MustCompile(`^provider "[^/"]+/([^"]+)" \{$`)
	lockHash     = regexp.MustCompile(`^(    "(?:h1|zh):)[^"]+",$`)
)

// blurHashes replaces the hashes of [MadeUpProviders] in a lock file. Their
// number and schemes stay.
func blurHashes(src []byte) []byte {
	lines := strings.Split(string(src), "\n")
	blur := false
	for i, line := range lines {
		if m := lockProvider.FindStringSubmatch(line); m != nil {
			blur = slices.Contains(MadeUpProviders, m[1])
		} else if blur {
			lines[i] = lockHash.ReplaceAllString(line, `${1}#",`)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// vary reports whether a place is listed in the script of the case.
func vary(varies []Varies, path []string) bool {
	at := "/" + strings.Join(path, "/")
	return slices.ContainsFunc(varies, func(v Varies) bool { return strings.HasSuffix(at, v.Path) })
}

// Unordered are the members of documents whose lists have no fixed order: the
// diagnostics of objects that are evaluated at the same time, and what the tool keeps in
// a map, such as the modules that the command of that name lists and the results of
// checks in raw states. The script of a case may name more.
var Unordered = []string{"diagnostics", "relevant_attributes", "child_modules", "modules", "check_results", "objects"}

// UnorderedInLines are such members of messages: what an interrupted test was
// about to make, and the resources whose provider was replaced.
var UnorderedInLines = []string{"planned", "resources"}

// sortLists returns a JSON value with the elements of the lists in the named
// members sorted by their text. All else stays as it is written.
func sortLists(src []byte, names []string) []byte {
	dec := json.NewDecoder(bytes.NewReader(src))
	open, err := dec.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return src
	}
	var out []byte
	last := 0
	for dec.More() {
		sorts := false
		if open == json.Delim('{') {
			key, err := dec.Token()
			name, ok := key.(string)
			if err != nil || !ok {
				return src
			}
			sorts = slices.Contains(names, name)
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return src
		}
		end := int(dec.InputOffset())
		out = append(out, src[last:end-len(value)]...)
		value = sortLists(value, names)
		if sorts {
			value = sortElements(value)
		}
		out = append(out, value...)
		last = end
	}
	return append(out, src[last:]...)
}

// sortElements sorts the elements of a list.
func sortElements(src []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(src))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return src
	}
	var spans [][2]int
	var texts []string
	for dec.More() {
		var element json.RawMessage
		if dec.Decode(&element) != nil {
			return src
		}
		end := int(dec.InputOffset())
		spans = append(spans, [2]int{end - len(element), end})
		texts = append(texts, string(element))
	}
	slices.Sort(texts)
	var out []byte
	last := 0
	for i, span := range spans {
		out = append(append(out, src[last:span[0]]...), texts[i]...)
		last = span[1]
	}
	return append(out, src[last:]...)
}

var cycle = regexp.MustCompile(`\bCycle: [^"\\]+`)

// sortCycle sorts the names in the message about a cycle, which may begin with
// any of them.
func sortCycle(src []byte) []byte {
	return cycle.ReplaceAllFunc(src, func(m []byte) []byte {
		names := strings.Split(strings.TrimPrefix(string(m), "Cycle: "), ", ")
		slices.Sort(names)
		return []byte("Cycle: " + strings.Join(names, ", "))
	})
}
