// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

// An Analyzer is one rule of a linter: its description, and a function that looks at a
// module. It must not be changed after its first use.
type Analyzer struct {
	// Name is the name of the rule: letters, digits, underscores, hyphens and dots.
	Name string
	// Doc describes what the rule finds. Its first sentence is the summary.
	Doc string
	// URL is the page of the rule, or empty.
	URL string
	// Severity is the severity of the findings. If empty, it is [Warning].
	Severity Severity
	// Presets lists the sets of rules that contain the rule. If nil, it is in all of
	// them. A command without a configuration runs the set "recommended".
	Presets []string
	// Options is a struct with the default options of the rule, or nil. Its fields have
	// tags like those of HCL's package gohcl: `hcl:"format,optional"`. The settings
	// call_module_type and ignore_module of the block config are defaults of the fields
	// with these names, a string and a map[string]bool. See [Options].
	Options any
	// Requires lists analyzers that run before this one on the same module: see [ResultOf].
	Requires []*Analyzer
	// Run looks at one module. It may run at the same time for several modules. The
	// result is passed to the analyzers that require this one. After an error or a
	// panic, the findings of this analyzer are dropped and the error is reported.
	Run func(*Pass) (any, error)
}

// A Severity is the severity of a finding. Values other than the constants are
// kept.
// Its values include [Error], [Warning] and [Notice].
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Notice  Severity = "notice"
)

// A Diagnostic is one finding.
type Diagnostic struct {
	// At is the part of a file that the finding is about: an argument, an expression, or a
	// block. The finding is at the text of the part or, for a block, at its type and
	// labels; in JSON that is the bracket that opens the value of its last label.
	At hcledit.Part
	// Range is the place, if the finding is not about a whole part. It has at least a file
	// name. If it is zero, [Pass.Report] sets it to the place of At.
	Range addrs.Range
	// Message describes the fault, in one line.
	Message string
	// Severity, if empty, is that of the analyzer.
	Severity Severity
	// Related has further places that explain the finding, each with its At or Range and its Message.
	Related []Diagnostic
	// Fixes are changes that fix the finding. If there are several, they are
	// alternatives; a program that does not ask its user applies the first.
	Fixes []Fix
	// Analyzer is the analyzer that reported the finding. [Pass.Report] sets
	// it.
	Analyzer *Analyzer
}

var analyzerName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// ordered returns the analyzers and all that they require, each after those that it
// requires. The error says which of them is wrong.
func ordered(analyzers []*Analyzer) ([]*Analyzer, error) {
	var out []*Analyzer
	state := map[*Analyzer]int{} // 1 on the way, 2 done
	names := map[string]*Analyzer{}
	var visit func(*Analyzer) error
	visit = func(a *Analyzer) error {
		switch {
		case a == nil:
			return errors.New("hcllint: an analyzer is nil")
		case state[a] == 2:
			return nil
		case state[a] == 1:
			return fmt.Errorf("hcllint: analyzer %s requires itself", a.Name)
		case !analyzerName().MatchString(a.Name):
			return fmt.Errorf("hcllint: %q is not a valid name of an analyzer", a.Name)
		case names[a.Name] != nil:
			return fmt.Errorf("hcllint: two analyzers are called %s", a.Name)
		case strings.TrimSpace(a.Doc) == "":
			return fmt.Errorf("hcllint: analyzer %s has no Doc", a.Name)
		case a.Run == nil:
			return fmt.Errorf("hcllint: analyzer %s has no Run", a.Name)
		}
		if err := checkOptions(a); err != nil {
			return err
		}
		names[a.Name] = a
		state[a] = 1
		for _, r := range a.Requires {
			if err := visit(r); err != nil {
				return err
			}
		}
		state[a] = 2
		out = append(out, a)
		return nil
	}
	for _, a := range analyzers {
		if err := visit(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Options returns the options of the analyzer of a pass: its [Analyzer.Options], with the
// settings from the configuration of the linter. T is the type of that struct.
func Options[T any](p *Pass) T {
	if p == nil {
		var none T
		return none
	}
	out, _ := p.options.(T)
	return out
}

// checkOptions refuses options that are not a struct.
func checkOptions(a *Analyzer) error {
	if a.Options != nil && reflect.TypeOf(a.Options).Kind() != reflect.Struct {
		return fmt.Errorf("hcllint: the options of analyzer %s are a %T, not a struct", a.Name, a.Options)
	}
	return nil
}
