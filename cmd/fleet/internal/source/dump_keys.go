// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Stores of keys and values.

// A keyValue is a key of such a store.
type keyValue struct {
	key   string
	value []byte
}

// consul reads "consul kv export" and what its API returns for keys.
func consul(text []byte) ([]stored, error) {
	var keys []struct{ Key, Value string }
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, nil // other JSON
	}
	var pairs []keyValue
	for _, k := range keys {
		if value, err := base64.StdEncoding.DecodeString(k.Value); err == nil {
			pairs = append(pairs, keyValue{k.Key, value})
		}
	}
	return statesOfKeys(pairs)
}

// etcdJSON reads "etcdctl get -w json".
func etcdJSON(text []byte) ([]stored, error) {
	var answer struct{ Kvs []struct{ Key, Value []byte } }
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, nil // other JSON
	}
	var pairs []keyValue
	for _, k := range answer.Kvs {
		pairs = append(pairs, keyValue{string(k.Key), k.Value})
	}
	return statesOfKeys(pairs)
}

// etcdFields reads "etcdctl get -w fields": a line for each field, texts as in Go.
func etcdFields(text []byte) ([]stored, error) {
	var pairs []keyValue
	key := ""
	for line := range strings.Lines(string(text)) {
		field, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " : ")
		if field != `"Key"` && field != `"Value"` {
			continue
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("the output of etcdctl: %w", err)
		}
		if field == `"Key"` {
			key = value
		} else {
			pairs = append(pairs, keyValue{key, []byte(value)})
		}
	}
	return statesOfKeys(pairs)
}

// A chunkList is the value of a key whose state the backend consul has cut into several, because
// values there are at most 512 KiB long.
type chunkList struct {
	Hash   string   `json:"current-hash"`
	Chunks []string `json:"chunks"`
}

// statesOfKeys returns the values that are states, whole or in chunks. Locks are not.
func statesOfKeys(pairs []keyValue) ([]stored, error) {
	values := make(map[string][]byte)
	for _, p := range pairs {
		values[p.key] = p.value
	}
	chunk := make(map[string]bool)
	var states []stored
	var missing error
	for _, p := range pairs {
		switch {
		case strings.HasSuffix(p.key, "/.lock") || strings.HasSuffix(p.key, "/.lockinfo"):
			continue
		case !bytes.HasPrefix(p.value, []byte(gzipMagic)) && !bytes.HasPrefix(bytes.TrimSpace(p.value), []byte("{")):
			continue
		}
		text := p.value
		var list chunkList
		if json.Unmarshal(p.value, &list) == nil && list.Hash != "" && list.Chunks != nil {
			text = nil
			for _, name := range list.Chunks {
				chunk[name] = true
				part, ok := values[name]
				if !ok {
					missing = errors.Join(missing, fmt.Errorf("%s: %w %s", p.key, errIncomplete, name))
				}
				text = append(text, part...)
			}
		}
		states = append(states, stored{p.key, text})
	}
	if missing != nil {
		return nil, missing
	}
	whole := states[:0]
	for _, s := range states {
		if !chunk[s.name] && !leftOver(s.name) {
			whole = append(whole, s)
		}
	}
	return whole, nil
}

// leftOver reports whether a key has the form of a chunk of another key: a chunk that no list has
// any more is not a state.
func leftOver(key string) bool {
	at := strings.LastIndex(key, "/tfstate.")
	if at < 0 {
		return false
	}
	hash, number, ok := strings.Cut(key[at+len("/tfstate."):], "/")
	_, err := strconv.Atoi(number)
	return ok && err == nil && len(hash) == 32
}
