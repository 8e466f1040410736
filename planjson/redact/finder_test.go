// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
)

// This file is the judge of redaction. It has no code of the library: it decodes what it
// finds, again and again.

var (
	baseRuns  = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}={0,2}`)
	hexRuns   = regexp.MustCompile(`(?:[0-9a-fA-F]{2}){6,}`)
	lineEnds  = regexp.MustCompile(`[ \t"',]*[\r\n]+[ \t"']*`)
	quoteEnds = strings.NewReplacer(`'\''`, "'", `''`, "'", `'"'"'`, "'", `""`, `"`, "%%", "%", `\'`, "'", `\"`, `"`, "$$", "$")
)

// decodings returns what a text can be decoded to in one step.
func decodings(s string) (all []string) {
	add := func(t string) {
		if t != s && t != "" {
			all = append(all, t)
		}
	}
	var unquoted string
	if strings.Contains(s, `\`) && json.Unmarshal([]byte(`"`+strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)+`"`), &unquoted) == nil {
		add(unquoted)
	}
	add(strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(s))
	if strings.Contains(s, "%") {
		if t, err := url.QueryUnescape(s); err == nil {
			add(t)
		}
		if t, err := url.PathUnescape(s); err == nil {
			add(t)
		}
	}
	add(html.UnescapeString(s))
	add(quoteEnds.Replace(s))
	joined := lineEnds.ReplaceAllString(s, "")
	add(lineEnds.ReplaceAllString(s, "\n"))
	for _, text := range []string{s, joined} {
		for _, run := range baseRuns.FindAllString(text, 200) {
			run = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(run, "="))
			for shift := range min(4, len(run)) {
				b, _ := base64.RawStdEncoding.DecodeString(run[shift : len(run)-(len(run)-shift)%4])
				rest, _ := base64.RawStdEncoding.DecodeString(run[shift:])
				for _, b := range [][]byte{b, rest} {
					if len(b) < 4 {
						continue
					}
					add(string(b))
					if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
						out, _ := io.ReadAll(io.LimitReader(z, 1<<20))
						add(string(out))
					}
					units := make([]uint16, len(b)/2)
					for i := range units {
						units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
					}
					if b[1] == 0 {
						add(string(utf16.Decode(units)))
					}
				}
			}
		}
		for _, run := range hexRuns.FindAllString(text, 200) {
			b, _ := hex.DecodeString(run)
			add(string(b))
		}
	}
	return all
}

// decodedTexts returns the texts of a document with all that they can be decoded to.
func decodedTexts(all []string) string {
	seen := make(map[string]bool)
	var b strings.Builder
	level := all
	for range 4 {
		var next []string
		for _, s := range level {
			if len(s) < 6 || seen[s] {
				continue
			}
			seen[s] = true
			b.WriteString(s + "\x00")
			next = append(next, decodings(s)...)
		}
		level = next
	}
	return b.String()
}

// plantedSecrets returns secrets as people and programs make them.
func plantedSecrets(r *rand.Rand, n int) []string {
	pick := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	const lower, upper, digits, signs = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "!@#$%^&*()+=[]{}<>?/'\"\\"
	phrase := strings.Fields("correct horse battery staple orange tiger window silver garden mountain river castle")
	secrets := make([]string, n)
	for i := range secrets {
		switch i % 8 {
		case 0:
			secrets[i] = pick(lower, 4) + pick(digits, 1) + pick(lower+digits, 3+r.IntN(6))
		case 1:
			secrets[i] = pick(upper, 3) + pick(signs, 1) + pick(lower+signs, 4+r.IntN(6))
		case 2:
			secrets[i] = pick(lower+upper+digits, 24) + pick(digits, 1)
		case 3:
			secrets[i] = "AKIA" + pick(upper+digits, 15) + "7"
		case 4:
			secrets[i] = hex.EncodeToString([]byte(pick(upper+lower, 16)))
		case 5:
			secrets[i] = fmt.Sprintf("postgres://%s:%s@db.example.com:5432/app", pick(lower, 6), pick(lower+digits, 12))
		case 6:
			list := make([]string, 3+r.IntN(3))
			for k := range list {
				list[k] = phrase[r.IntN(len(phrase))] + pick(lower, 2)
			}
			secrets[i] = strings.Join(list, []string{" ", "-", "_", "."}[r.IntN(4)])
		case 7:
			secrets[i] = "-----BEGIN PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString([]byte(pick(lower+upper+digits, 96))) + "\n-----END PRIVATE KEY-----\n"
		}
	}
	return secrets
}

// plainWords are ordinary words that documents mark.
var plainWords = strings.Fields("public postgres admin production enabled default web")

// manyPlan returns a plan with secrets that are marked at one place and written at another in
// some spelling, and with words that are marked.
func manyPlan(r *rand.Rand, secrets []string) []byte {
	p := &planter{plan: object{
		"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": object{"root_module": object{}}, "resource_changes": []any{},
		"configuration": object{"provider_config": object{}, "root_module": object{}}, "timestamp": "2020-01-01T00:00:00Z", "errored": false,
	}}
	p.change("t.words", []string{"create"}, nil, object{"pw": plainWords}, "after")
	for i, s := range secrets {
		spelled := spellings[(i+r.IntN(2))%len(spellings)](s)
		p.change(fmt.Sprintf("t.home[%d]", i), []string{"create"}, nil, object{"pw": s}, "after")
		values := object{"a": spelled, "public": "PUBLIC " + fmt.Sprint(i), "list": []any{"x", object{"in " + spelled: 1}}, "doc": quoted(object2(spelled))}
		rc := p.change(fmt.Sprintf("t.stray[%s]", quoted(fmt.Sprintf("%d %s", i, spelled))), []string{"create"}, nil, values, "")
		rc["index"] = fmt.Sprintf("%d %s", i, spelled)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(p.plan); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func object2(s string) string { return `{"k":["x",` + quoted(s) + `]}` }

// TestFinder plants many secrets, among words that are marked as well, and looks for what is
// left in all ways of redaction.
func TestFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	secrets := plantedSecrets(r, depth.Of(120, 500, 2000))
	src := manyPlan(r, secrets)
	before := decodedTexts(texts(t, src))
	for _, s := range secrets {
		if !strings.Contains(before, strings.TrimSpace(s)) {
			t.Fatalf("the finder does not find %q", s)
		}
	}
	results := ways(t, redact.Redactor{}, "plan", src)
	for way, out := range results {
		if !bytes.Equal(out, results["memory"]) {
			t.Errorf("%s is not what it is in memory", way)
		}
	}
	out := results["memory"]
	check := func(what, left string) {
		t.Helper()
		for _, s := range secrets {
			for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' }) {
				if len(line) > 8 && !strings.HasPrefix(line, "-----") && strings.Contains(left, line) {
					t.Errorf("%s: %q is left", what, line)
				}
			}
		}
	}
	check("plan", decodedTexts(texts(t, out)))
	if n := bytes.Count(out, []byte(`"PUBLIC `)); n != len(secrets) {
		t.Errorf("%d of %d public texts are left", n, len(secrets))
	}

	plan, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	known, err := redact.Redactor{}.KnownSecrets(plan)
	if err != nil {
		t.Fatal(err)
	}
	remove := uijson.RemoveSecrets(known)
	var messages []string
	for i, s := range secrets {
		spelled := spellings[i%len(spellings)](s)
		m, err := uijson.Decode([]byte(`{"@level":"info","@message":` + quoted("t.a: "+spelled) + `,"@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"diagnostic","diagnostic":{"severity":"error","summary":` +
			quoted(spelled) + `,"detail":` + quoted("public web: "+spelled) + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		remove(m)
		line, err := uijson.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, texts(t, line)...)
	}
	check("messages", decodedTexts(messages))
}

// TestMarkedWords marks ordinary words in the recordings and counts the public texts that
// are lost: at most a tenth.
func TestMarkedWords(t *testing.T) {
	public, lost := 0, 0
	for path, src := range recorded(t, "plan") {
		var doc object
		if json.Unmarshal(src, &doc) != nil || strings.Contains(path, "planted") {
			continue
		}
		changes, _ := doc["resource_changes"].([]any)
		words := object{}
		for i, w := range plainWords {
			words[[]string{"env", "user", "name", "tier", "state", "kind", "type"}[i]] = w
		}
		doc["resource_changes"] = append(changes, object{"address": "t.marked", "mode": "managed", "type": "t", "name": "marked", "provider_name": "p",
			"change": object{"actions": []string{"create"}, "before": nil, "after": object{"in": words}, "after_unknown": object{}, "before_sensitive": false, "after_sensitive": object{"in": true}}},
			object{"address": "t.shown", "mode": "managed", "type": "t", "name": "shown", "provider_name": "p",
				"change": object{"actions": []string{"create"}, "before": nil, "after": object{"a": "public-key", "b": "web", "c": "https://postgres.example.com/default", "d": plainWords},
					"after_unknown": object{}, "before_sensitive": false, "after_sensitive": object{}}})
		marked, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		redacted := func(src []byte) map[string]bool {
			var b bytes.Buffer
			if _, err := (redact.Redactor{}).WritePlan(&b, bytes.NewReader(src)); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			left := make(map[string]bool)
			for _, s := range texts(t, b.Bytes()) {
				left[s] = true
			}
			return left
		}
		before, after := redacted(src), redacted(marked)
		for s := range before {
			public++
			if !after[s] {
				lost++
			}
		}
		for _, s := range append(strings.Fields("public-key https://postgres.example.com/default"), plainWords...) {
			if !after[s] {
				t.Errorf("%s: %q is lost", path, s)
			}
		}
	}
	t.Logf("%d of %d public texts are lost", lost, public)
	if public < 1000 || lost*10 > public {
		t.Errorf("%d of %d public texts are lost", lost, public)
	}
}

// FuzzWordsAndSecrets plants a word and a secret together: the word stays where it is public,
// and nothing is left of the secret.
func FuzzWordsAndSecrets(f *testing.F) {
	for i, s := range plantedSecrets(rand.New(rand.NewPCG(5, 6)), 64) {
		f.Add(plainWords[i%len(plainWords)], s, uint8(i))
	}
	f.Add("aaa", "00000.", uint8(2)) // a number of five digits is not looked for
	f.Fuzz(func(t *testing.T, word, secret string, spelling uint8) {
		if !regexp.MustCompile(`^[a-z]{3,12}$`).MatchString(word) || !isOdd(secret) || strings.Contains(secret, word) || strings.Contains(word, secret) {
			return
		}
		spelled := spellings[int(spelling)%len(spellings)](secret)
		if strings.Contains(spelled, word) || strings.Contains("format_version resource_changes change actions after before sensitive unknown configuration create address managed provider_name planned_values root_module", secret) {
			return
		}
		p := &planter{plan: object{"format_version": "1.2", "planned_values": object{"root_module": object{}}, "resource_changes": []any{}, "configuration": object{"root_module": object{}}}}
		p.change("t.home", []string{"create"}, nil, object{"pw": []any{word, secret}}, "after")
		p.change("t.stray", []string{"create"}, nil, object{"w": word, "s": spelled, "both": word + " " + spelled, "m": object{word: word + "-key"}}, "")
		src, err := json.Marshal(p.plan)
		if err != nil {
			t.Fatal(err)
		}
		results := ways(t, redact.Redactor{}, "plan", src)
		out := results["memory"]
		for way, other := range results {
			if !bytes.Equal(out, other) {
				t.Errorf("%s is not what it is in memory: %s\n%s", way, other, out)
			}
		}
		all := texts(t, out)
		for _, s := range all {
			if strings.Contains(strings.ReplaceAll(s, "(sensitive value)", ""), secret) || s == spelled {
				t.Errorf("%q is left in %q", secret, s)
			}
		}
		for _, want := range []string{`"w":` + quoted(word), quoted(word) + `:` + quoted(word+"-key")} {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s is lost: %s", want, out)
			}
		}
	})
}
