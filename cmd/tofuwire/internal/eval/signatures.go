// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// The document of "metadata functions -json".
type (
	document struct {
		FormatVersion string               `json:"format_version"`
		Functions     map[string]signature `json:"function_signatures"`
	}
	signature struct {
		Description string          `json:"description"`
		ReturnType  json.RawMessage `json:"return_type"`
		Parameters  []parameter     `json:"parameters,omitempty"`
		Variadic    *parameter      `json:"variadic_parameter,omitempty"`
	}
	parameter struct {
		Name     string          `json:"name"`
		Nullable bool            `json:"is_nullable,omitempty"`
		Type     json.RawMessage `json:"type"`
	}
)

func printSignatures(w io.Writer, d hclconfig.Dialect) error {
	doc := document{"1.0", map[string]signature{}}
	for name, s := range hclfuncs.Signatures(d) {
		plain := strings.TrimPrefix(name, "core::")
		if plain == "list" || plain == "map" { // both programs leave out what is not available any more
			continue
		}
		out := signature{Description: s.Description, ReturnType: typeJSON(s.Result)}
		for _, p := range s.Parameters {
			out.Parameters = append(out.Parameters, parameter{p.Name, p.Nullable, typeJSON(p.Type)})
		}
		if v := s.Variadic; v != nil {
			out.Variadic = &parameter{v.Name, v.Nullable, typeJSON(v.Type)}
		}
		doc.Functions[name] = out
	}
	src, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", src)
	return err
}

func typeJSON(t cty.Type) json.RawMessage {
	src, err := ctyjson.MarshalType(t)
	if err != nil {
		return json.RawMessage(`"dynamic"`)
	}
	return src
}
