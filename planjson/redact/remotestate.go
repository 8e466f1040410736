// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// remoteState is the data source that reads the outputs of another state. The tools have
// it built in, and mark nothing of it: neither the credentials in its config nor the
// outputs that are sensitive in the other state.
const remoteState = "terraform_remote_state"

// placeNames are the settings in config that say where a state is, and nothing else.
var placeNames = strings.Fields(`backend bucket container_name storage_account_name resource_group_name key prefix path workspace
	workspace_dir region location hostname organization host address schema_name namespace secret_suffix`)

// The shapes of settings that name a place. What is no text there is private.
var remotePlace, remoteHost = placeShape(), placeShape()

func placeShape() *shape {
	s := provschema.NewObject(provschema.Object, 0)
	s.HideOthers()
	return s
}

// hostNames are those of placeNames that can have user information without a scheme.
var hostNames = []string{"address", "host", "hostname"}

// remoteStateShape returns the shape of terraform_remote_state.
func remoteStateShape(keepOutputs bool) *shape {
	config := provschema.NewObject(provschema.Object, len(placeNames)+1)
	for _, name := range placeNames {
		config.Put(name, remotePlace)
	}
	for _, name := range hostNames {
		config.Put(name, remoteHost)
	}
	workspaces := provschema.NewObject(provschema.Object, 4)
	for _, name := range []string{"name", "prefix", "project"} {
		workspaces.Put(name, remotePlace)
	}
	workspaces.Put("tags", provschema.Dynamic)
	workspaces.HideOthers()
	config.Put("workspaces", workspaces)
	config.HideOthers()

	s := provschema.NewObject(provschema.Body, 5)
	s.Put("config", config)
	if !keepOutputs {
		outputs := provschema.NewObject(provschema.Object, 0)
		outputs.HideOthers()
		s.Put("outputs", outputs)
		s.Put("defaults", outputs)
	}
	return s
}

// secretWhy returns why all of a value of a shape is hidden, or 0.
func secretWhy(s *shape) reason {
	switch {
	case !s.IsSecret():
		return 0
	case s.IsPrivate():
		return reasonRemote
	}
	return reasonSchema
}

// withoutCredentials returns a place without user information, query and fragment, and the
// secrets that it had. It is "" if nobody can say where they begin. A place without a scheme
// has them only if it is that of a host.
func withoutCredentials(place string, host bool) (plain string, secrets []string) {
	scheme, rest, ok := strings.Cut(place, "://")
	if !ok {
		if scheme, rest = "", place; !host || !strings.ContainsAny(place, "@?") {
			return place, nil
		}
	}
	if u, err := url.Parse("x://" + rest); err != nil {
		return "", []string{rest}
	} else if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	} else if name := u.User.Username(); name != "" {
		secrets = append(secrets, name) // a token
	}
	rest, query, _ := strings.Cut(rest, "?")
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' || r == '#' }) {
		_, value, _ := strings.Cut(pair, "=")
		secrets = append(secrets, value)
		if decoded, err := url.QueryUnescape(value); err == nil && decoded != value {
			secrets = append(secrets, decoded)
		}
	}
	rest, _, _ = strings.Cut(rest, "#")
	authority, path := rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		secrets = append(secrets, authority[strings.IndexByte(authority[:i], ':')+1:i])
		authority = authority[i+1:]
	}
	if scheme != "" {
		authority = scheme + "://" + authority
	}
	return authority + path, secrets
}

// learnPlace takes the credentials in a place for known secrets, and takes note that the
// rest of it is public.
func (l *learner) learnPlace(ev event) {
	token := l.text[ev.start:ev.end]
	if token[0] != '"' {
		return
	}
	place := jsonscan.Unquote(token)
	plain, secrets := withoutCredentials(place, ev.shape == remoteHost)
	if plain == place {
		l.texts.addPublic(token)
		return
	}
	l.results.drop()
	if l.OnlyMarked {
		return
	}
	for _, s := range secrets {
		if !isPlain(s) {
			l.learnText(s, 0)
		}
	}
}

// place writes a place without its credentials.
func (w *writer) place(ev event) {
	token := w.text[ev.start:ev.end]
	if token[0] != '"' {
		return
	}
	place := jsonscan.Unquote(token)
	switch plain, _ := withoutCredentials(place, ev.shape == remoteHost); plain {
	case place:
	case "":
		w.hideFrom(ev.start, reasonRemote, nil, false)
	default:
		now, _ := w.secrets.Replace(plain, w.token)
		w.put(ev.start, string(quote(now)), reasonRemote)
	}
}

// learnRemote takes what terraform_remote_state has for known secrets, except what is
// called an identifier: nothing says which outputs are secrets, and the identifiers of
// networks and accounts are all over the resources that use them.
func (l *learner) learnRemote(start, end int) {
	l.work += end - start
	for i := start; i < end; {
		c := l.text[i]
		if c != '"' && c != '-' && (c < '0' || c > '9') {
			i++
			continue
		}
		next := jsonscan.ValueEnd(l.text, i)
		if name := c == '"' && startsWithColon(l.text[next:]); !name && !isIdentifierOf(l.around.at(i), leafText(l.text[i:next])) {
			l.learn(i, next)
		}
		i = next
	}
}

// identifierNames are the last words of names of identifiers.
var identifierNames = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	for name := range strings.FieldsSeq(`id ids arn arns name names vpc vpcs subnet subnets cidr cidrs block blocks zone zones region regions location
		account accounts project projects group groups cluster clusters bucket buckets domain domains host hosts hostname hostnames fqdn dns
		endpoint endpoints address addresses url urls uri uris ip ips port ports prefix suffix path version versions environment env table tables
		queue topic stream repository role roles policy policies image images ami tag tags label labels size type types count enabled`) {
		names[name] = true
	}
	return names
})

// isIdentifierOf reports whether a text is the identifier that its name says it is.
func isIdentifierOf(name, text string) bool {
	lower := strings.ToLower(name)
	for _, secret := range []string{"secret", "passw", "token", "private", "credential", "access_key", "api_key"} {
		if strings.Contains(lower, secret) {
			return false
		}
	}
	last := lower[strings.LastIndexAny(lower, "_-.")+1:]
	if !identifierNames()[last] || strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	plain, _ := withoutCredentials(text, true)
	return plain == text
}

// dynamicNames are the attributes that a state saves together with their types.
var dynamicNames = []string{"config", "defaults", "outputs"}

// isWrapped reports whether a value has its type with it.
func isWrapped(v planjson.Value) bool {
	n := 0
	for range v.Members() {
		n++
	}
	return n == 2 && v.Member("value") != nil && v.Member("type") != nil
}

// unwrapped returns the attributes of terraform_remote_state in a state file as
// show -json prints them.
func unwrapped(attributes planjson.Value) planjson.Value {
	for _, name := range dynamicNames {
		if v := attributes.Member(name); isWrapped(v) {
			attributes = withMember(attributes, name, v.Member("value"))
		}
	}
	return attributes
}

// wrapped returns the attributes as a state file has them: was, with the values of now.
func wrapped(was, now planjson.Value) planjson.Value {
	for _, name := range dynamicNames {
		before, after := was.Member(name), now.Member(name)
		if !isWrapped(before) {
			continue
		}
		if bytes.Equal(before.Member("value"), after) {
			now = withMember(now, name, before)
			continue
		}
		typ := []byte(`"dynamic"`)
		if t, err := ctyjson.ImpliedType(after); err == nil {
			if text, err := ctyjson.MarshalType(t); err == nil {
				typ = text
			}
		}
		both := append(append(append(append([]byte(`{"value":`), after...), `,"type":`...), typ...), '}')
		now = withMember(now, name, both)
	}
	return now
}

// withMember returns an object with another value of a member that it has.
func withMember(object planjson.Value, name string, v planjson.Value) planjson.Value {
	r := jsonscan.Items{Text: object, Valid: true}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		if jsonscan.Unquote(r.Name) == name {
			end := r.Start + len(r.Value())
			return slices.Concat(object[:r.Start], v, object[end:])
		}
	}
	return object
}

// wrappedPointer returns the pointer below the attributes of the object at a place.
func (s *stateFile) wrappedPointer(at, below string) string {
	if !s.wrappers[at] {
		return below
	}
	for _, name := range dynamicNames {
		if rest, ok := strings.CutPrefix(below, "/"+name); ok && (rest == "" || rest[0] == '/') {
			return "/" + name + "/value" + rest
		}
	}
	return below
}

// remoteFlatMarks returns the marks of the attributes of terraform_remote_state from before
// Terraform 0.12, where the outputs are attributes.
func remoteFlatMarks(flat map[string]string, keepOutputs bool) planjson.Value {
	marks := []byte{'{'}
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		setting, ok := strings.CutPrefix(name, "config.")
		switch {
		case strings.HasSuffix(name, ".#") || strings.HasSuffix(name, ".%"):
			continue
		case ok:
			plain, _ := withoutCredentials(flat[name], slices.Contains(hostNames, setting))
			if slices.Contains(placeNames, setting) && plain == flat[name] {
				continue
			}
		case name == "id" || name == "backend" || name == "environment" || name == "workspace" || keepOutputs:
			continue
		}
		if len(marks) > 1 {
			marks = append(marks, ',')
		}
		marks = append(append(marks, planjson.Literal(name)...), ":true"...)
	}
	return append(marks, '}')
}
