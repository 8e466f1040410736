// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/csv"
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
	read   func(text []byte) ([]stored, error)
}{
	// A list or an object of Kubernetes, in JSON or YAML. In YAML the kind begins a line.
	{regexp.MustCompile(`(?s)\A\s*\{.*?"kind"\s*:\s*"(?:Secret|SecretList|List)"`), secretsJSON},
	{regexp.MustCompile(`(?sm)\A\s*\{\s*"apiVersion"\s*:\s*"v1"\s*,\s*"(?:items|data)"`), secretsJSON},
	{regexp.MustCompile(`(?sm)\A\s*(?:#|---|[a-zA-Z]+:).*^(?:-\s+)?\s*kind:\s*["']?(?:Secret|SecretList|List)["']?\s*$`), secretsYAML},
	{regexp.MustCompile(`(?sm)\A\s*(?:---\s*)?(?:apiVersion: v1|data:|items:)\s*$`), secretsYAML},
	// The table of the backend pg: pg_dump, psql --csv, json_agg, row_to_json.
	{regexp.MustCompile(`(?m)^COPY\s+\S*\s*\((?:[^)]*,\s*)?"?data"?[^)]*\)\s+FROM\s+stdin`), copied},
	{regexp.MustCompile(`\A(?:"?id"?,)?"?name"?,"?data"?\r?\n`), tableCSV},
	{regexp.MustCompile(`\A\d+,[^,\n]*,"\{\s*""version"":`), tableCSV},
	{regexp.MustCompile(`(?s)\A\s*\[?\s*\{\s*(?:"id"\s*:\s*\d+\s*,\s*)?"name"\s*:\s*"[^"]*"\s*,\s*"data"\s*:`), tableJSON},
	// consul kv export, and the keys of its API.
	{regexp.MustCompile(`(?s)\A\s*\[\s*\{[^{}\[\]]*"(?:key|Key)"\s*:\s*"`), consul},
}

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
		text, err := io.ReadAll(io.LimitReader(s, maxDump+1)) // dumps are short
		if err != nil {
			return true, err
		}
		if len(text) > maxDump {
			return true, fmt.Errorf("%w: a dump of more than %d bytes", ErrLimit, maxDump)
		}
		states, err := r.read(text)
		if err != nil && bytes.Contains(text, []byte("tfstate")) {
			return true, err
		}
		if len(states) == 0 { // something else that begins in the same way
			_, err := s.Seek(0, io.SeekStart)
			return false, err
		}
		for _, x := range states {
			if err := u.member(place, x.name+"/terraform.tfstate", modified, bytes.NewReader(x.text), depth); err != nil {
				return true, err
			}
		}
		return true, nil
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

// copied reads the table of the backend pg in the text of COPY, as pg_dump writes it.
func copied(text []byte) (states []stored, err error) {
	header := regexp.MustCompile(`^COPY\s+(\S*)\s*\(([^)]*)\)\s+FROM\s+stdin`)
	name, data, schema := -1, -1, ""
	for line := range bytes.Lines(text) {
		line := strings.TrimRight(string(line), "\r\n")
		if m := header.FindStringSubmatch(line); m != nil {
			name, data, schema = -1, -1, ""
			if s, _, ok := strings.Cut(m[1], "."); ok {
				schema = strings.Trim(s, `"`) + "/"
			}
			for i, column := range strings.Split(m[2], ",") {
				switch strings.Trim(strings.TrimSpace(column), `"`) {
				case "name":
					name = i
				case "data":
					data = i
				}
			}
			continue
		}
		if line == `\.` {
			name, data = -1, -1
		}
		if name < 0 || data < 0 {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) <= max(name, data) || cells[data] == `\N` {
			continue
		}
		states = append(states, stored{schema + uncopied(cells[name]), []byte(uncopied(cells[data]))})
	}
	return states, nil
}

// uncopied returns the text of a cell of COPY.
func uncopied(cell string) string {
	if !strings.Contains(cell, `\`) {
		return cell
	}
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		if c != '\\' || i+1 == len(cell) {
			b.WriteByte(c)
			continue
		}
		i++
		if at := strings.IndexByte("bfnrtv", cell[i]); at >= 0 {
			b.WriteByte("\b\f\n\r\t\v"[at])
		} else {
			b.WriteByte(cell[i])
		}
	}
	return b.String()
}

// tableCSV reads the table as CSV, with a header or without: id, name, data.
func tableCSV(text []byte) (states []stored, err error) {
	r := csv.NewReader(bufio.NewReader(bytes.NewReader(text)))
	r.FieldsPerRecord = -1
	name, data := 1, 2
	for first := true; ; first = false {
		record, err := r.Read()
		if err == io.EOF {
			return states, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the table is not CSV: %w", err)
		}
		if i, k := slices.Index(record, "name"), slices.Index(record, "data"); first && i >= 0 && k >= 0 {
			name, data = i, k
			continue
		}
		if len(record) > max(name, data) && record[data] != "" {
			states = append(states, stored{record[name], []byte(record[data])})
		}
	}
}

// tableJSON reads the rows of the table as JSON, in an array or one behind the other.
func tableJSON(text []byte) (states []stored, err error) {
	type row struct {
		Name string
		Data json.RawMessage
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF {
			return states, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the table is not JSON: %w", err)
		}
		var rows []row
		if value[0] != '[' {
			value = slices.Concat([]byte("["), value, []byte("]"))
		}
		if err := json.Unmarshal(value, &rows); err != nil {
			return nil, fmt.Errorf("the table has other rows: %w", err)
		}
		for _, r := range rows {
			var text string
			if len(r.Data) == 0 || string(r.Data) == "null" {
				continue
			}
			if json.Unmarshal(r.Data, &text) != nil {
				text = string(r.Data)
			}
			states = append(states, stored{r.Name, []byte(text)})
		}
	}
}

// consul reads the values of keys that are states. Locks are not.
func consul(text []byte) (states []stored, err error) {
	var keys []struct{ Key, Value string }
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, nil // other JSON
	}
	for _, k := range keys {
		value, err := base64.StdEncoding.DecodeString(k.Value)
		if err != nil || strings.HasSuffix(k.Key, "/.lock") || strings.HasSuffix(k.Key, "/.lockinfo") {
			continue
		}
		if bytes.HasPrefix(value, []byte{0x1f, 0x8b}) || bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
			states = append(states, stored{k.Key, value})
		}
	}
	return states, nil
}
