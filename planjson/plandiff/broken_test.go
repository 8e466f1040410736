// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestBrokenValues shows plans made by hand whose values are no JSON: every form
// shows something and ends.
func TestBrokenValues(t *testing.T) {
	const whole = `{"s":"aé\n\u00e9\ud83d\ude00\\","doc":"{\"k\":[1,\"x\"]}","lines":"a\nb\n","l":[1,"b",{"c":null}],"n":-1.5e3,"t":true,"m":{"a b":"","x":[[]]}}`
	var broken []string
	for i := range len(whole) {
		broken = append(broken, whole[:i], whole[i:], whole[:i]+whole[i+1:], whole[:i]+`"`+whole[i+1:], whole[:i]+`\`+whole[i:])
	}
	for _, s := range []string{`"`, `\`, `"\`, `"\"`, `"\u`, `"\u"`, `"\ud83d`, `"\ud83d"`, "\"\n\"", "\"\xff\"", `-`, `tru`, `nul`, `[`, `{`, `]`, `}`, `,`, `:`, `0x`, "\x00"} {
		broken = append(broken, s, ` `+s, s+` `, `{"s":`+s+`}`, `{"s":`+s, `["a",`+s+`]`, `{"s":{"t":[`+s+`]}}`, `{`+s+`:1}`, strings.Repeat(s, depth.Of(300, 3000, 3000)))
	}
	good := planjson.Value(whole)
	for i, text := range broken {
		if i%depth.Of(5, 1, 1) > 0 {
			continue
		}
		v := planjson.Value(text)
		for _, c := range []planjson.Change{
			{Before: v, After: good}, {Before: good, After: v}, {Before: v}, {After: v}, {Before: v, After: v},
			{Before: good, After: good, AfterUnknown: v, BeforeSensitive: v, AfterSensitive: v},
			{Before: v, After: good, ReplacePaths: []planjson.Value{v}, BeforeIdentity: v, AfterIdentity: good},
		} {
			show(t, text, c)
		}
	}
}

// show writes a change in every form.
func show(t *testing.T, text string, c planjson.Change) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%q: %v: panic: %v", text[:min(len(text), 200)], c.Actions, r)
		}
	}()
	c.Actions = planjson.Actions{planjson.ActionUpdate}
	p := &planjson.Plan{
		ResourceChanges: []*planjson.ResourceChange{{Address: "a.b", Mode: "managed", Type: "a", Name: "b", Change: c}},
		OutputChanges:   map[string]*planjson.Change{"o": &c},
	}
	for _, unchanged := range []bool{false, true} {
		d := plandiff.Plan(p, plandiff.Options{Unchanged: unchanged})
		for _, err := range []error{
			d.WriteText(io.Discard, plandiff.TextOptions{}),
			d.WriteText(io.Discard, plandiff.TextOptions{Color: true, MaxValue: 3}),
			d.WriteHTML(io.Discard, plandiff.TextOptions{}),
			d.WriteMarkdown(io.Discard, plandiff.MarkdownOptions{}),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	}
}
