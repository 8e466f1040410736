// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// openOther reads a document that has no list of its own: the page says what
// it is, and can redact most of them.
func (d *Document) openOther() error {
	text, err := d.whole(0, 0.5)
	if err != nil {
		return err
	}
	switch d.Info.Kind {
	case "config":
		err = check(text, planjson.DecodeConfig)
	case "outputs":
		err = check(text, planjson.DecodeOutputs)
	case "validate":
		var v *planjson.Validate
		if v, err = planjson.DecodeValidate(text); err == nil {
			d.fact("Valid", fmt.Sprint(v.Valid))
			for _, x := range v.Diagnostics {
				d.addLines(Row{Part: "diagnostic", Class: string(x.Severity), Symbol: "!", Address: string(x.Severity), Headline: x.Summary}, []Line{note("  " + x.Detail)})
			}
		}
	case "state-show":
		err = check(text, planjson.DecodeStateShow)
	case "renderer-plan":
		err = check(text, planjson.DecodeRendererPlan)
	case "renderer-state":
		err = check(text, planjson.DecodeRendererState)
	case "schemas":
		err = check(text, planjson.DecodeSchemas)
	case "functions":
		err = check(text, planjson.DecodeFunctions)
	case "version":
		err = check(text, planjson.DecodeVersion)
	case "modules":
		err = check(text, planjson.DecodeModules)
	case "workspaces":
		err = check(text, planjson.DecodeWorkspaces)
	}
	if err != nil {
		return err
	}
	d.Info.Can = []string{"changes"}
	switch d.Info.Kind {
	case "config", "outputs", "validate", "state-show", "renderer-plan", "renderer-state":
		d.Info.Can = append(d.Info.Can, "redact")
	}
	return nil
}

func check[D planjson.Document](text []byte, decode func([]byte) (D, error)) error {
	doc, err := decode(text)
	if err != nil {
		return err
	}
	return planjson.CheckVersion(doc)
}

// redactOther writes a document without its secrets.
func redactOther(w io.Writer, text []byte, kind string, r redact.Redactor) (int, error) {
	switch kind {
	case "config":
		return rewrite(w, text, planjson.DecodeConfig, r.Config)
	case "outputs":
		return rewrite(w, text, planjson.DecodeOutputs, r.Outputs)
	case "validate":
		return rewrite(w, text, planjson.DecodeValidate, r.Validate)
	case "state-show":
		return rewrite(w, text, planjson.DecodeStateShow, r.StateShow)
	case "renderer-plan":
		return rewrite(w, text, planjson.DecodeRendererPlan, r.RendererPlan)
	case "renderer-state":
		return rewrite(w, text, planjson.DecodeRendererState, r.RendererState)
	}
	return 0, fmt.Errorf("%s: this kind of document has nothing to redact", titles[kind])
}

func rewrite[D planjson.Document](w io.Writer, text []byte, decode func([]byte) (D, error), redact func(D) (int, error)) (int, error) {
	doc, err := decode(text)
	if err != nil {
		return 0, err
	}
	n, err := redact(doc)
	if err != nil {
		return 0, err
	}
	return n, planjson.Write(w, doc)
}
