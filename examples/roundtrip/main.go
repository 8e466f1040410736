// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Roundtrip decodes one document and writes it back, byte for byte.
//
//	roundtrip [-canonical] KIND [FILE]
//
// With -canonical it writes the document in the form in which the tool itself
// writes it. For tf, this is the form of the tool's fmt. The document names the
// tool and the version.
//
// It reads FILE or, without one, standard input, and writes to standard output.
// If a document does not decode, the exit status is 1 and standard error has
// the error and its place. Configuration (tf, tfjson) with a syntax error is
// still written back: it is read as far as possible.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A codec reads src, whose name serves for messages, and writes it back to w.
type codec func(w io.Writer, name string, src []byte) error

// codecs has the codec of each KIND.
var codecs = map[string]codec{
	"plan":              roundtripJSON(planjson.DecodePlan),
	"state":             roundtripJSON(planjson.DecodeState),
	"config":            roundtripJSON(planjson.DecodeConfig),
	"schemas":           roundtripJSON(planjson.DecodeSchemas),
	"functions":         roundtripJSON(planjson.DecodeFunctions),
	"validate":          roundtripJSON(planjson.DecodeValidate),
	"version":           roundtripJSON(planjson.DecodeVersion),
	"output":            roundtripJSON(planjson.DecodeOutputs),
	"modules":           roundtripJSON(planjson.DecodeModules),
	"workspaces":        roundtripJSON(planjson.DecodeWorkspaces),
	"state-show":        roundtripJSON(planjson.DecodeStateShow),
	"renderer-plan":     roundtripJSON(planjson.DecodeRendererPlan),
	"statefile":         roundtripState,
	"lock-info":         roundtripOther(statefile.DecodeLockInfo),
	"backend":           roundtripOther(statefile.DecodeBackend),
	"installed-modules": roundtripOther(statefile.DecodeInstalledModules),
	"envelope":          roundtripOther(statefile.DecodeEnvelope),
	"lock":              roundtripLock,
	"ui":                roundtripUI,
	"tf":                roundtripNativeConfig,
	"tfjson":            roundtripJSONConfig,
}

// canonical has the codecs of the kinds that -canonical takes.
var canonical = map[string]codec{
	"plan":          canonicalJSON(planjson.DecodePlan),
	"state":         canonicalJSON(planjson.DecodeState),
	"config":        canonicalJSON(planjson.DecodeConfig),
	"schemas":       canonicalJSON(planjson.DecodeSchemas),
	"functions":     canonicalJSON(planjson.DecodeFunctions),
	"validate":      canonicalJSON(planjson.DecodeValidate),
	"version":       canonicalJSON(planjson.DecodeVersion),
	"output":        canonicalJSON(planjson.DecodeOutputs),
	"modules":       canonicalJSON(planjson.DecodeModules),
	"workspaces":    canonicalJSON(planjson.DecodeWorkspaces),
	"state-show":    canonicalJSON(planjson.DecodeStateShow),
	"renderer-plan": canonicalJSON(planjson.DecodeRendererPlan),
	"statefile":     canonicalState,
	"lock":          canonicalLock,
	"ui":            canonicalUI,
	"tf":            formatNativeConfig,
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "roundtrip:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	known := codecs
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help") {
		_, err := fmt.Fprintf(stdout, "usage: roundtrip [-canonical] KIND [FILE], where KIND is one of %s\n", kinds(known))
		return err
	}
	if len(args) > 0 && args[0] == "-canonical" {
		known, args = canonical, args[1:]
	}
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("usage: roundtrip [-canonical] KIND [FILE], where KIND is one of %s", kinds(known))
	}
	c, ok := known[args[0]]
	if !ok {
		return fmt.Errorf("there is no kind %q; use one of %s", args[0], kinds(known))
	}
	name := "standard input"
	var src []byte
	var err error
	if len(args) == 2 {
		name = args[1]
		src, err = os.ReadFile(name)
	} else {
		src, err = io.ReadAll(stdin)
	}
	if err != nil {
		return err
	}
	w := bufio.NewWriter(stdout)
	err = c(w, name, src)
	return errors.Join(err, w.Flush())
}

func kinds(known map[string]codec) string {
	return strings.Join(slices.Sorted(maps.Keys(known)), ", ")
}
