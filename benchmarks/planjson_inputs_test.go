// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// recorded has the files that makeinputs makes, by the size of their plan.
var recorded = map[string]string{"1MB": "16", "10MB": "144", "100MB": "1440"}

var megabytes = map[string]int{"1MB": 1, "10MB": 10, "100MB": 100, "500MB": 500}

// small is a recording that is multiplied where makeinputs has made nothing.
const small = "../planjson/testdata/tofu-1.12.6"

var inputs sync.Map // of []byte by name

// planInput returns a plan of about the size.
func planInput(b *testing.B, size string) []byte { return input(b, "plan", size) }

// stateInput returns the state that belongs to a plan of about the size.
func stateInput(b *testing.B, size string) []byte { return input(b, "state", size) }

func input(b *testing.B, kind, size string) []byte {
	b.Helper()
	key := kind + size
	if text, ok := inputs.Load(key); ok {
		return text.([]byte)
	}
	name := filepath.Join("inputs", kind+"-"+recorded[size]+".json")
	text, err := os.ReadFile(name)
	if err != nil {
		b.Logf("%s is missing (see makeinputs): a small recording is multiplied instead", name)
		text = multiply(b, kind, megabytes[size]<<20)
	}
	inputs.Store(key, text)
	return text
}

// multiply makes a document of n bytes from the resources of a small plan, each
// time in another module and with other strings.
func multiply(b *testing.B, kind string, n int) []byte {
	b.Helper()
	var out bytes.Buffer
	if err := multiplyTo(&out, kind, n); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func multiplyTo(w io.Writer, kind string, n int) error {
	files, err := filepath.Glob(filepath.Join(small, "*", "plan*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no recording in %s: %v", small, err)
	}
	var changes, planned []string
	for _, name := range files {
		if strings.Contains(filepath.ToSlash(name), "/values/") {
			continue // its numbers are too large for float64, and so for terraform-json
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			return err
		}
		for _, c := range plan.ResourceChanges {
			text, err := c.MarshalJSON()
			if err != nil {
				return err
			}
			changes = append(changes, string(text))
		}
		for _, r := range plan.PlannedValues.RootModule.Resources {
			text, err := r.MarshalJSON()
			if err != nil {
				return err
			}
			planned = append(planned, string(text))
		}
	}
	copyOf := func(list []string, i int) string {
		text := strings.ReplaceAll(strings.Join(list, ","), `":"`, fmt.Sprintf(`":"%d `, i))
		text = strings.ReplaceAll(text, fmt.Sprintf(`"mode":"%d `, i), `"mode":"`)
		return strings.ReplaceAll(text, fmt.Sprintf(`"address":"%d `, i), fmt.Sprintf(`"address":"module.copy%d.`, i))
	}
	modules := func(n int, close string) error {
		for i, done := 0, 0; done < n; i++ {
			comma := ","
			if i == 0 {
				comma = ""
			}
			m, err := fmt.Fprintf(w, `%s{"resources":[%s],"address":"module.copy%d"}`, comma, copyOf(planned, i), i)
			if err != nil {
				return err
			}
			done += m
		}
		_, err := io.WriteString(w, close)
		return err
	}
	if kind == "state" {
		if _, err := io.WriteString(w, `{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{"child_modules":[`); err != nil {
			return err
		}
		return modules(n, "]}}}\n")
	}
	if _, err := io.WriteString(w, `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{"child_modules":[`); err != nil {
		return err
	}
	if err := modules(n/3, `]}},"resource_changes":[`); err != nil {
		return err
	}
	for i, done := 0, 0; done < n*2/3; i++ {
		comma := ","
		if i == 0 {
			comma = ""
		}
		m, err := io.WriteString(w, comma+copyOf(changes, i))
		if err != nil {
			return err
		}
		done += m
	}
	_, err = io.WriteString(w, `],"configuration":{"root_module":{}},"errored":false}`+"\n")
	return err
}
