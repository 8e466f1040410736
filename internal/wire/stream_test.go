// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// parts reads text in parts of random sizes, some of them empty.
func parts(text string, r *rand.Rand, most int) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if text == "" {
			return 0, io.EOF
		}
		n := copy(p[:min(len(p), r.IntN(most+1))], text)
		text = text[n:]
		return n, nil
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// stream reads the elements of a document's member docs. It keeps all of them
// before it looks at any, to find one that changes afterwards.
func stream(r io.Reader) (elements []*wiretest.Doc, err error) {
	err = wiretest.Docs(r, func(d *wiretest.Doc) error {
		elements = append(elements, d)
		return nil
	})
	return elements, err
}

// checkAgrees requires that a document of nothing but docs and extra members
// reads the same as a stream and as a whole: the same elements, with the same
// bytes, or an error at the same place.
func checkAgrees(t *testing.T, text string, r io.Reader) {
	t.Helper()
	d, wantErr := wiretest.Decode([]byte(text))
	got, err := stream(r)
	if wantErr != nil || err != nil {
		var want, is *wire.Error
		if !errors.As(wantErr, &want) || !errors.As(err, &is) {
			t.Fatalf("%.200q:\ndecoded  %v\nstreamed %v", text, wantErr, err)
		}
		if is.Offset != want.Offset || is.Line != want.Line || is.Column != want.Column ||
			!strings.HasPrefix(want.Pointer, is.Pointer) && !strings.HasPrefix(is.Pointer, want.Pointer) {
			t.Fatalf("%.200q:\ndecoded  at %d: %.200v\nstreamed at %d: %.200v", text, want.Offset, want, is.Offset, is)
		}
		return
	}
	if len(got) != len(d.Docs) {
		t.Fatalf("%.200q: %d elements, want %d", text, len(got), len(d.Docs))
	}
	for i, e := range got {
		if typed(e) != typed(d.Docs[i]) || encode(t, e) != encode(t, d.Docs[i]) {
			t.Fatalf("%.200q: element %d:\n%s\n got  %s\n want %s", text, i, difference(typed(d.Docs[i]), typed(e)), encode(t, e), encode(t, d.Docs[i]))
		}
	}
}

// randomStream returns a document of random elements, with extra members
// around them and white space anywhere.
func randomStream(r *rand.Rand) string {
	var members []string
	for range r.IntN(3) {
		members = append(members, fmt.Sprintf(`"extra%d"%s:%s`, r.IntN(3), space(r), randomRaw(r)))
	}
	var docs []string
	for range r.IntN(6) {
		docs = append(docs, space(r)+randomText(r, r.IntN(4)))
	}
	members = append(members, `"docs"`+space(r)+":"+space(r)+"["+strings.Join(docs, space(r)+",")+space(r)+"]")
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return space(r) + "{" + space(r) + strings.Join(members, space(r)+",") + "}" + space(r)
}

func TestStreamAgrees(t *testing.T) {
	first := depth.Seed(t) - 1
	for i := range depth.Of[uint64](30, 300, 3000) {
		seed := first + i
		r := rand.New(rand.NewPCG(seed, 3))
		text := randomStream(r)
		checkAgrees(t, text, strings.NewReader(text))
		checkAgrees(t, text, parts(text, r, 1+r.IntN(40)))
		// Damaged in one place.
		i := r.IntN(len(text))
		damaged := text[:i] + string("{}[]\",:x0\n\x00\xff"[r.IntN(12)]) + text[i+1:]
		if strings.Count(damaged, `"docs"`) == strings.Count(text, `"docs"`) {
			checkAgrees(t, damaged, parts(damaged, r, 1+r.IntN(40)))
		}
	}
}

func TestStreamErrorsAgree(t *testing.T) {
	for _, text := range []string{
		"", " \n", "5", `"text"`, "[]", "{", "{}\n]", "nul", "\ufeff{}",
		`{"docs":5}`, `{"docs":"text"}`, `{"docs": true , "x":1}`, `{"docs":{}}`, `{"docs":{]}`, `{"docs":{"a":[1,2,{},]}}`, `{"docs":{"a":1}`, `[[}`, `{"docs":[5]}`, `{"docs":[{},null]}`, `{"docs":[{}`, `{"docs":[{},`, `{"docs":[{}}`, `{"docs":[{} {}]}`, `{"docs":[,]}`, `{"docs":[{},]}`,
		`{"docs"`, `{"docs":`, `{"docs" []}`, `{docs:[]}`, `{"do`, `{"do\x":1}`, `{"x":1,}`, `{"x":1 "y":2}`,
		`{"x":01}`, `{"x":"` + "\x01" + `"}`, `{"x":[1,2,{"y":tru}]}`, `{"x":12`, `{"x":-`, `{"x":"abc`, `{"x":[1`, `{"x":{"a`, `{"x":{"a" 1}}`, `{"x":{1:2}}`, `{"x":[1 2]}`, `{"x":{"a":1 2}}`,
		"{\n\"docs\":[{\"name\":\"a\"},\n  {\"count\":1.5}]}", `{"docs":[{"list":[{},{"id":7}]}]}`, `{"docs":[{"name":"` + "\xff" + `"}]}`,
		`{"x":` + strings.Repeat("[", 20_000), `{"docs":[{"raw":` + strings.Repeat("[", 20_000), `{"docs":[` + strings.Repeat(`{"next":`, 20_000),
		`{"x":` + strings.Repeat(`{"a":`, 9_999) + "1" + strings.Repeat("}", 10_000), `{"x":` + strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_001),
		"{\n" + strings.Repeat(" ", 300<<10) + "\"x\":\n" + strings.Repeat("\n", 300<<10) + "  tru}",
		`{"x":"` + strings.Repeat("a", 300<<10) + "\n",
		`{"docs":"` + strings.Repeat("a", 300<<10) + `"}`,
	} {
		checkAgrees(t, text, strings.NewReader(text))
		checkAgrees(t, text, iotest.OneByteReader(strings.NewReader(text)))
	}
}

func TestStreamTruncated(t *testing.T) {
	text := `{"a":[1,-2.5e3,true,"\u00e9ü\\"],"docs":[` + full + `,{"name":"b"}],"x":{"y":null,"z":{}}}`
	for n := range len(text) {
		checkAgrees(t, text[:n], iotest.OneByteReader(strings.NewReader(text[:n])))
	}
}

// TestStreamWindows has elements and gaps around the size of the window, so
// that it moves and grows with elements behind, within and before it.
func TestStreamWindows(t *testing.T) {
	const window = 256 << 10
	for _, sizes := range [][]int{
		{1, window - 40, window, window + 1, 4 * window, 5, 12 * window, 3},
		slices.Repeat([]int{window / 3}, 20),
		slices.Repeat([]int{100}, 20_000),
	} {
		var b strings.Builder
		b.WriteString(`{"skipped":"` + strings.Repeat("x\\n", 2*window) + "\",\n\"docs\":[")
		for i, n := range sizes {
			if i > 0 {
				b.WriteString(",\n")
			}
			fmt.Fprintf(&b, `{"name":"%0*d","raw":{"n":%d}}`, n, i, i)
		}
		b.WriteString("\n]" + strings.Repeat(" ", 2*window) + `,"more":[1,2]}`)
		text := b.String()
		r := rand.New(rand.NewPCG(uint64(len(sizes)), 4))
		checkAgrees(t, text, strings.NewReader(text))
		checkAgrees(t, text, parts(text, r, 100_000))
		text = strings.TrimSuffix(text, "]}") + "x]}" // its place is far behind the first window
		checkAgrees(t, text, parts(text, r, 100_000))
	}
}

// TestStreamMemory checks that memory does not grow with the document.
func TestStreamMemory(t *testing.T) {
	element := `{"name":"` + strings.Repeat("n", 1000) + `"},`
	n := 0
	endless := readerFunc(func(p []byte) (int, error) {
		k := 0
		for k+len(element) <= len(p) {
			k += copy(p[k:], element)
			n++
		}
		return k, nil
	})
	head := io.MultiReader(strings.NewReader(`{"docs":[`), endless)
	enough := errors.New("enough")
	seen := 0
	if err := wiretest.Docs(head, func(d *wiretest.Doc) error {
		if seen++; seen == 10_000 {
			return enough
		}
		return nil
	}); err != enough {
		t.Fatal(err)
	}
	if ahead := n - seen; ahead > 600 {
		t.Errorf("%d elements of a thousand bytes were read ahead", ahead)
	}
}

func TestStreamReader(t *testing.T) {
	broken := errors.New("broken")
	text := `{"x":[1,2],"docs":[{"name":"a"}]} `
	for n := range len(text) + 1 {
		_, err := stream(io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken)))
		if err != broken {
			t.Errorf("after %q the reader's error came as %v", text[:n], err)
		}
	}
	stalled := readerFunc(func([]byte) (int, error) { return 0, nil })
	if _, err := stream(io.MultiReader(strings.NewReader(`{"docs":[`), stalled)); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	// A fault before the reader's error is reported as such.
	if _, err := stream(io.MultiReader(strings.NewReader(`{"x":tru3`), iotest.ErrReader(broken))); !errors.Is(err, jsonscan.FaultLiteral) {
		t.Errorf("a fault before a broken reader: %v", err)
	}
	// Data that comes along with the end is read.
	d, err := stream(iotest.DataErrReader(strings.NewReader(text)))
	if err != nil || len(d) != 1 {
		t.Errorf("%d elements, %v", len(d), err)
	}
}

// TestStreamGap has white space after an element at the end of what was read
// so far: it belongs to the array.
func TestStreamGap(t *testing.T) {
	for _, gap := range []string{"", " ", "\n\t\n"} {
		first := `{"docs":[{"name":"a"}` + gap
		got, err := stream(io.MultiReader(strings.NewReader(first), strings.NewReader(`,{"name":"b"}]}`)))
		if err != nil || len(got) != 2 || encode(t, got[0]) != `{"name":"a"}` || encode(t, wiretest.Clone(got[0])) != `{"name":"a"}` {
			t.Errorf("%q: %q, %v", first, encode(t, got[0]), err)
		}
	}
}

func TestStreamParts(t *testing.T) {
	s := wire.NewStream(iotest.OneByteReader(strings.NewReader(` {"t":"\u0061b", "n":null, "a/b":[[], [1, {"x":2}], null], "o":null, "last":7 } `)))
	var got []string
	err := s.Object(func(name string) error {
		got = append(got, fmt.Sprintf("%s=%c@%s", name, s.Kind(), s.Path()))
		switch name {
		case "t", "n":
			text, err := s.Text()
			got = append(got, "text "+text)
			return err
		case "a/b":
			return s.Array(func() error {
				got = append(got, s.Path())
				return s.Array(func() error {
					got = append(got, s.Path())
					return s.Skip()
				})
			})
		case "o":
			return s.Object(func(string) error { return s.Fail(errors.New("null has members")) })
		}
		_, err := s.Text()
		return err
	})
	want := `t=" @/t, text ab, n=n @/n, text , a/b=[ @/a~1b, /a~1b/0, /a~1b/1, /a~1b/1/0, /a~1b/1/1, /a~1b/2, o=n @/o, last=7 @/last`
	want = strings.ReplaceAll(want, ` @`, `@`)
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if !errors.Is(err, wire.ErrKind) || err.Error() != "line 1, column 77 (/last): unexpected kind of value: expected a string, found a number" {
		t.Errorf("a number as a text: %v", err)
	}
	if err := s.Fail(io.ErrShortWrite); !errors.Is(err, io.ErrShortWrite) || !strings.HasPrefix(err.Error(), "line 1, column 78 ():") {
		t.Errorf("an error of the caller: %v", err)
	}
	if _, err := wire.NewStream(strings.NewReader("")).Text(); !errors.Is(err, jsonscan.FaultEnd) {
		t.Errorf("no text: %v", err)
	}
	if _, err := wire.NewStream(strings.NewReader(`"a`)).Text(); !errors.Is(err, jsonscan.FaultEnd) {
		t.Errorf("half a text: %v", err)
	}
	// Containers that the caller opens count as levels of nesting.
	s = wire.NewStream(strings.NewReader(strings.Repeat("[", 20_000)))
	depth := 0
	var deeper func() error
	deeper = func() error { depth++; return s.Array(deeper) }
	if err := s.Array(deeper); !errors.Is(err, jsonscan.FaultDepth) || depth != jsonscan.MaxDepth {
		t.Errorf("%d levels: %.100v", depth, err)
	}
}

func FuzzStream(f *testing.F) {
	for seed := range uint64(8) {
		f.Add([]byte(randomStream(rand.New(rand.NewPCG(seed, 5)))), seed)
	}
	f.Add([]byte(`{"x":[1,{"a":"\u0061"}],"docs":[{"name":5}]}`), uint64(0))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		// What the two may see differently: members of other types, duplicates
		// of docs, a null as the root, and too many small objects.
		d, err := wiretest.Decode(bytes.Clone(text))
		var e *wire.Error
		if errors.Is(err, wire.ErrLimit) || string(bytes.TrimSpace(text)) == "null" || errors.As(err, &e) && !strings.HasPrefix(e.Pointer, "/docs") && errors.Is(err, wire.ErrKind) {
			return
		}
		if err == nil {
			for dup := range wire.Duplicates(text) {
				if dup.Pointer == "/docs" {
					return
				}
			}
			_ = d
		}
		r := rand.New(rand.NewPCG(seed, 6))
		if err != nil {
			if _, err := stream(parts(string(text), r, 30)); err == nil && bytes.Count(text, []byte("docs")) < 2 && !bytes.Contains(text, []byte(`\u`)) {
				t.Fatalf("%q is read as a stream but does not decode: %v", text, e)
			}
			return
		}
		checkAgrees(t, string(text), parts(string(text), r, 30))
	})
}
