// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tofuwire/tofuwire/planjson"
)

// Dumps are files in which a store has exported what it keeps: states within something else.
// Each state is a member, whose name has that of the workspace in the store.

// A stored state is one of a dump.
type stored struct {
	name string // of its workspace in the store
	text []byte // the state, possibly compressed
}

// maxDump is the length up to which a dump is read. It is held in memory.
const maxDump = 256 << 20

// sniffedDump is how much of a file is looked at to tell a dump.
const sniffedDump = 16 << 10

// dumpReaders read the dumps, by what begins them.
var dumpReaders = []struct {
	begins *regexp.Regexp
	read   func(io.Reader) ([]stored, error)
}{
	// A list or an object of Kubernetes, in JSON or YAML. In YAML the kind begins a line.
	{regexp.MustCompile(`(?s)\A\s*\{.*?"kind"\s*:\s*"(?:Secret|SecretList|List)"`), inMemory(secretsJSON)},
	{regexp.MustCompile(`(?sm)\A\s*\{\s*"apiVersion"\s*:\s*"v1"\s*,\s*"(?:items|data)"`), inMemory(secretsJSON)},
	{regexp.MustCompile(`(?sm)\A\s*(?:#|---|[a-zA-Z]+:).*^(?:-\s+)?\s*kind:\s*["']?(?:Secret|SecretList|List)["']?\s*$`), inMemory(secretsYAML)},
	{regexp.MustCompile(`(?sm)\A\s*(?:---\s*)?(?:apiVersion: v1|data:|items:)\s*$`), inMemory(secretsYAML)},
	// Its value alone: the base64 of gzip.
	{regexp.MustCompile(`\AH4sI[A-Za-z0-9+/\r\n]*=*\s*\z`), inMemory(encoded)},
	// The table of the backend pg: pg_dump, COPY, psql --csv, json_agg, row_to_json.
	{regexp.MustCompile(`(?m)\A(?:--\s*\n)?-- PostgreSQL database|^(?:COPY\s+\S+\s*\([^)]*"?data"?[^)]*\)\s+FROM\s+stdin|INSERT\s+INTO\s)`), postgresText},
	{regexp.MustCompile(`\A\d+\t[^\t\n]*\t\{(?:\\[nrt]|\s)*"`), copiedRows},
	{regexp.MustCompile(`(?s)\APGCOPY\n.\r\n`), copiedBinary},
	{regexp.MustCompile(`(?s)\APGDMP.{5}\x01.*COPY \S+ \(id, name, data\) FROM stdin`), postgresCustom},
	{regexp.MustCompile(`\A(?:"?id"?,)?"?name"?,"?data"?\r?\n`), inMemory(tableCSV)},
	{regexp.MustCompile(`\A\d+,[^,\n]*,"\{\s*""version"":`), inMemory(tableCSV)},
	{regexp.MustCompile(`(?s)\A\s*\[?\s*\{\s*(?:"id"\s*:\s*\d+\s*,\s*)?"name"\s*:\s*"[^"]*"\s*,\s*"data"\s*:`), inMemory(tableJSON)},
	// consul kv export, and the keys of its API.
	{regexp.MustCompile(`(?s)\A\s*\[\s*\{[^{}\[\]]*"(?:key|Key)"\s*:\s*"`), inMemory(consul)},
	// etcdctl get -w json, and -w fields.
	{regexp.MustCompile(`(?s)\A\s*\{\s*(?:"header"\s*:\s*\{[^{}]*\}\s*,\s*)?"kvs"\s*:`), inMemory(etcdJSON)},
	{regexp.MustCompile(`\A"ClusterID" : \d+\n`), inMemory(etcdFields)},
}

// inMemory makes a reader of dumps that are held whole.
func inMemory(read func(text []byte) ([]stored, error)) func(io.Reader) ([]stored, error) {
	return func(r io.Reader) ([]stored, error) {
		text, err := io.ReadAll(io.LimitReader(r, maxDump+1)) // dumps are short
		if err != nil {
			return nil, err
		}
		if len(text) > maxDump {
			return nil, tooLong()
		}
		states, err := read(text)
		if err != nil && !errors.Is(err, errIncomplete) && !bytes.Contains(text, []byte("tfstate")) {
			return nil, nil // something else that begins in the same way
		}
		return states, err
	}
}

// errIncomplete is the error for a dump that does not have all parts of a state.
var errIncomplete = errors.New("the state is in chunks, and the dump does not have")

func tooLong() error { return fmt.Errorf("%w: a dump of more than %d bytes", ErrLimit, maxDump) }

// dump passes on the states in a dump, and reports whether s is one.
func (u *unpacker) dump(place string, modified time.Time, s io.ReadSeeker, depth int) (bool, error) {
	head := make([]byte, sniffedDump)
	n, err := io.ReadFull(s, head)
	if _, err := s.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	head = head[:n]
	if planjson.KindOf(head) != "" { // a document; those of Kubernetes can be in it
		return false, nil
	}
	for _, r := range dumpReaders {
		if !r.begins.Match(head) {
			continue
		}
		states, fault := r.read(s)
		if len(states) == 0 && fault == nil { // something else that begins in the same way
			_, err := s.Seek(0, io.SeekStart)
			return false, err
		}
		for _, x := range states { // also those in front of a fault
			if err := u.member(place, x.name+"/terraform.tfstate", modified, bytes.NewReader(x.text), depth); err != nil {
				return true, err
			}
		}
		return true, fault
	}
	return false, nil
}

// A secret is an object of Kubernetes, as far as it matters.
type secret struct {
	Kind     string
	Metadata struct {
		Name, Namespace string
		Labels          map[string]string
	}
	Data       map[string]string
	StringData map[string]string
	Items      []secret
}

func secretsJSON(text []byte) ([]stored, error) {
	var all []secret
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var s secret
		err := d.Decode(&s)
		if err == io.EOF {
			return statesOf(all)
		}
		if err != nil {
			return nil, fmt.Errorf("the list of Secrets is not JSON: %w", err)
		}
		all = append(all, s)
	}
}

func secretsYAML(text []byte) ([]stored, error) {
	var all []secret
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var node yaml.Node
		err := d.Decode(&node)
		if err == io.EOF {
			return statesOf(all)
		}
		if err != nil {
			return nil, fmt.Errorf("the Secrets are not YAML: %w", err)
		}
		var s secret
		if node.Decode(&s) != nil { // another object
			continue
		}
		all = append(all, s)
	}
}

// part is how Terraform calls the further Secrets of a state that is too large for one.
var part = regexp.MustCompile(`-part-(\d+)$`)

// statesOf returns the states in Secrets, the parts of one put together.
func statesOf(secrets []secret) ([]stored, error) {
	type piece struct {
		number int
		text   []byte
	}
	pieces := make(map[string][]piece)
	var names []string
	for i := 0; i < len(secrets); i++ {
		s := secrets[i]
		secrets = append(secrets, s.Items...)
		data, ok := s.Data["tfstate"]
		text, err := []byte(s.StringData["tfstate"]), error(nil)
		if ok {
			if text, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), "")); err != nil {
				return nil, fmt.Errorf("the Secret %s: %w", s.Metadata.Name, err)
			}
		} else if len(text) == 0 {
			continue
		}
		name, number := s.Metadata.Name, 0
		if m := part.FindStringSubmatchIndex(name); m != nil {
			number, _ = strconv.Atoi(name[m[2]:m[3]])
			name = name[:m[0]]
		}
		if s.Metadata.Namespace != "" {
			name = s.Metadata.Namespace + "/" + name
		}
		if pieces[name] == nil {
			names = append(names, name)
		}
		pieces[name] = append(pieces[name], piece{number, text})
	}
	var states []stored
	for _, name := range names {
		list := pieces[name]
		slices.SortStableFunc(list, func(a, b piece) int { return a.number - b.number })
		var text []byte
		for _, p := range list {
			text = append(text, p.text...)
		}
		states = append(states, stored{name, text})
	}
	return states, nil
}

// encoded reads the value of a Secret that was printed alone.
func encoded(text []byte) ([]stored, error) {
	value, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(text)), ""))
	if err != nil {
		return nil, nil
	}
	return []stored{{"", value}}, nil
}
