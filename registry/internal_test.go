// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// The checksum document in OpenTofu's two manners and in the strict one.
func TestSums(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	const own, other = "terraform-provider-x_1.0.0_linux_amd64.zip", "terraform-provider-x_1.0.0_darwin_arm64.zip"
	tests := []struct {
		name     string
		src      string
		lookup   string // or "" for an error
		all      []addrs.Hash
		packages []addrs.Hash
	}{
		{"plain", a + "  " + own + "\n" + b + "  " + other + "\n", a, []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a), zhOf(b)}},
		{"no newline at the end", a + "  " + own, a, []addrs.Hash{zhOf(a)}, []addrs.Hash{zhOf(a)}},
		{"CRLF", a + "  " + own + "\r\n", a, []addrs.Hash{zhOf(a)}, []addrs.Hash{zhOf(a)}},
		{"one space, tab", a + "\t" + own + "\n" + b + " " + other, a, []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a), zhOf(b)}},
		{"upper case", strings.ToUpper(a) + "  " + own, a, []addrs.Hash{zhOf(a)}, []addrs.Hash{zhOf(a)}},
		{"blank lines", "\n" + a + "  " + own + "\n \n\n", a, []addrs.Hash{zhOf(a)}, []addrs.Hash{zhOf(a)}},
		{"manifest", a + "  " + own + "\n" + b + "  terraform-provider-x_1.0.0_manifest.json\n", a, []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a)}},
		{"foreign file", a + "  " + own + "\n" + b + "  x.zip\n", a, []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a)}},
		{"other version", a + "  " + own + "\n" + b + "  terraform-provider-x_1.0.1_linux_amd64.zip\n", a, []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a)}},
		{"same twice", a + "  " + own + "\n" + a + "  " + own + "\n", a, []addrs.Hash{zhOf(a)}, []addrs.Hash{zhOf(a)}},
		{"two for one name", a + "  " + own + "\n" + b + "  " + own + "\n", "", []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a), zhOf(b)}},
		{"two for another name", a + "  " + own + "\n" + b + "  " + other + "\n" + a + "  " + other, "", []addrs.Hash{zhOf(a), zhOf(b)}, []addrs.Hash{zhOf(a), zhOf(b)}},
		{"BOM", "\ufeff" + a + "  " + own, "", nil, nil},
		{"binary mark", a + " *" + own, "", []addrs.Hash{zhOf(a)}, nil},
		{"BSD", "SHA256 (" + own + ") = " + a, "", nil, nil},
		{"path", a + "  ./" + own, "", []addrs.Hash{zhOf(a)}, nil},
		{"further fields", a + "  " + own + " more", a, []addrs.Hash{zhOf(a)}, nil},
		{"one bad line", a + "  " + own + "\n# end\n", a, nil, []addrs.Hash{zhOf(a)}},
		{"too long", a + "0  " + own, "", nil, nil},
		{"no name", a, "", nil, nil},
		{"empty", "", "", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parseSums([]byte(tt.src))
			got, err := s.lookup(own)
			if got != tt.lookup || (err == nil) != (tt.lookup != "") {
				t.Errorf("lookup: %q, %v", got, err)
			}
			if diff := cmp.Diff(tt.all, s.all()); diff != "" {
				t.Errorf("all: %s", diff)
			}
			if diff := cmp.Diff(tt.packages, s.packages("x", "1.0.0")); diff != "" {
				t.Errorf("packages: %s", diff)
			}
		})
	}
}

// h1 in both forms, by known vectors.
func TestPlainH1(t *testing.T) {
	type entry struct{ name, content string }
	tests := []struct {
		name    string
		entries []entry
		want    []addrs.Hash
	}{
		{"two files", []entry{{"a.txt", "hello\n"}, {"b/c.txt", "world\n"}}, []addrs.Hash{"h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk="}},
		{"a directory entry", []entry{{"a.txt", "hello\n"}, {"b/", ""}, {"b/c.txt", "world\n"}},
			[]addrs.Hash{"h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk=", "h1:XjHzSZJeAAeD26hKB0jNv9sNfNG4dZU22b1RVetv78w="}},
		{"a provider", []entry{{"terraform-provider-null_v3.2.4_x5", "binary\n"}, {"LICENSE.txt", "MPL\n"}}, []addrs.Hash{"h1:YdGpjTodLwUW0xDgV6KJmm/6fJnwPlcl3C2+DBbDuX8="}},
		{"order", []entry{{"a/b", "1"}, {"a-b", "2"}, {"a.b", "3"}, {"aB", "4"}, {"B", "5"}}, []addrs.Hash{"h1:Ie36/JzvQH/71aIFw/eRUTChMaF5NVGcupA1roczWl0="}},
		{"twice", []entry{{"a.txt", "first\n"}, {"a.txt", "second\n"}},
			[]addrs.Hash{"h1:K4L464FPfCgtGS/jICoT4KWotig1iu+xp/iLlC8wxL4=", "h1:OofCxGvjXeekoy8WRdAWR8KT5SG8Q2Xsl/FiZRjCXsY="}},
		{"absolute", []entry{{"/abs", "x"}}, []addrs.Hash{"h1:CM7FFibOWhObgfNe5D4BCRPQPWDmVFEE3uV9bd4QbSo=", "h1:XLf0IBjpVpXr/G51g4eZcxBKKzVh68d8nKRI33h4bcM="}},
		{"dot", []entry{{"./dot", "x"}}, []addrs.Hash{"h1:f8qNENWwATbR1WISZGlRXkgjbnQ4j9LvjAwU3jJ7fCw=", "h1:UhByFscwKfzRpF7zePimxdmCugJBXHuvyVnodQf5mBM="}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for _, e := range tt.entries {
				f, err := w.Create(e.name)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(f, e.content); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := new(Client).h1(t.Context(), bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Some archives mark a directory by its mode only, without a slash.
func TestPlainH1_directoryByMode(t *testing.T) {
	var hashes [2][]addrs.Hash
	for i, dir := range []string{"b", "b/"} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: dir}
		h.SetMode(fs.ModeDir | 0o755)
		if _, err := w.CreateHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Create("b/c.txt"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var err error
		if hashes[i], err = new(Client).h1(t.Context(), bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
			t.Fatal(err)
		}
	}
	if hashes[0][0] != hashes[1][0] || len(hashes[0]) != 2 || hashes[0][1] == hashes[1][1] {
		t.Errorf("got %v and %v", hashes[0], hashes[1])
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		in   string
		want time.Duration
	}{
		{"", 0}, {"7", 7 * time.Second}, {" 7 ", 7 * time.Second}, {"-1", 0}, {"soon", 0}, {"1e3", 0}, {"0x1", 0}, {".5", 0},
		{"1.5", 1500 * time.Millisecond}, {"2147483648", 2147483648 * time.Second}, {"99999999999999999999", math.MaxInt64}, {"1.x", 0},
		{"Fri, 02 Jan 2026 03:05:05 GMT", time.Minute}, {"Fri, 02 Jan 2026 03:03:05 GMT", 0},
	}
	if got := retryAfter("Fri, 02 Jan 2026 03:04:07 GMT", now.Add(600*time.Millisecond)); got != 2*time.Second {
		t.Errorf("1.4 s before the time that the server named: got %s", got)
	}
	for _, tt := range tests {
		if got := retryAfter(tt.in, now); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

// Waits grow, but not beyond the limit, and never below half.
func TestRetryWait(t *testing.T) {
	r := Retry{Delay: time.Second, MaxDelay: 5 * time.Second}.withDefaults()
	for n, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 5 * time.Second, 1000: 5 * time.Second} {
		for range 50 {
			if got := r.wait(n); got > want || got < want/2 {
				t.Errorf("wait %d: %s, want at most %s", n, got, want)
			}
		}
	}
}

func TestDisplayURL(t *testing.T) {
	u, err := url.Parse("https://user:secret@x.example/a%20b?X-Signature=secret#f")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := displayURL(u), "https://x.example/a%20b?..."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if displayURL(nil) != "" {
		t.Error("nil")
	}
}

func TestIsPublic(t *testing.T) {
	tests := map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "64:ff9b::5db8:d822": true,
		"127.0.0.1": false, "::1": false, "0.0.0.0": false, "::": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "fd00::1": false, "fe80::1": false, "224.0.0.1": false, "255.255.255.255": false,
		"::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "198.18.0.1": false, "240.0.0.1": false, "fec0::1": false,
		"168.63.129.16": false, "192.88.99.1": false, "192.31.196.1": false, "::127.0.0.1": false, "64:ff9b:1::a9fe:a9fe": false,
		"64:ff9b::a9fe:a9fe": false, "2001:0:1::1": false, "2001:db8::1": false, "3fff::1": false, "5f00::1": false, "100::1": false,
		"100:0:0:1::1": false, "fd00:ec2::254": false, "ff02::1": false, "2620:4f:8000::1": false, "4000::1": false, "fe80::1%lo": false,
		"2606:2800:220:1:0:5efe:7f00:1": false, "2606:2800:220:1:200:5efe:a9fe:a9fe": false, "2606:2800:220:1:0:5efe:5db8:d822": true,
	}
	for s, want := range tests {
		if got := isPublic(netip.MustParseAddr(s)); got != want {
			t.Errorf("%s: got %v", s, got)
		}
	}
	if err := controlPublic("tcp", "not an address", nil); !errors.Is(err, ErrForbiddenAddress) {
		t.Errorf("got %v", err)
	}
}

// A client with PublicOnly cannot be sent to this machine.
func TestPublicOnly(t *testing.T) {
	_, err := PublicOnly().DialContext(t.Context(), "tcp", "127.0.0.1:1")
	if !errors.Is(err, ErrForbiddenAddress) {
		t.Errorf("got %v", err)
	}
}

// Messages of registries, in the shapes that they use.
func TestMessages(t *testing.T) {
	tests := []struct {
		contentType, body string
		want              []string
	}{
		{"application/json", `{"errors":["a","b"]}`, []string{"a", "b"}},
		{"application/json", `{"errors":[{"status":"404","title":"not found"}]}`, []string{"not found"}},
		{"application/json; charset=utf-8", `{"error":{"message":"m","code":1}}`, []string{"m"}},
		{"application/vnd.api+json", `{"errors":[{"detail":"d","title":"t"}]}`, []string{"d"}},
		{"application/json", `{"message":"m"}`, []string{"m"}},
		{"application/json", `"text"`, nil},
		{"application/json", `{"errors":["1","2","3","4","5","6"]}`, []string{"1", "2", "3", "4", "5"}},
		{"application/json", `{"errors":[[[["deep"]]]]}`, nil},
		{"application/json", `{`, nil},
		{"text/plain", "first\nsecond", []string{"first"}},
		{"text/html", "<h1>no</h1>", nil},
		{"", "", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, messages(tt.contentType, []byte(tt.body))); diff != "" {
			t.Errorf("%s: %s", tt.body, diff)
		}
	}
}

func TestContentRange(t *testing.T) {
	tests := []struct {
		in         string
		from, size int64
		ok         bool
	}{
		{"bytes 5-9/10", 5, 10, true}, {"bytes 0-0/*", 0, -1, true}, {"bytes 5-9/9", 0, 0, false}, {"bytes */10", 0, 0, false},
		{"bytes 9-5/10", 0, 0, false}, {"items 0-1/2", 0, 0, false}, {"bytes -1-5/10", 0, 0, false}, {"", 0, 0, false}, {"bytes 1-2", 0, 0, false},
	}
	for _, tt := range tests {
		from, size, ok := contentRange(tt.in)
		if ok != tt.ok || ok && (from != tt.from || size != tt.size) {
			t.Errorf("%q: got %d, %d, %v", tt.in, from, size, ok)
		}
	}
}

// All memos of a client together hold as much as they may, and forget the
// oldest; a value that alone is larger is not remembered.
func TestMemo_budget(t *testing.T) {
	c := &Client{Limits: Limits{Memory: 4 << 20}}
	var m memo[int, []byte]
	var other memo[string, []byte]
	calls := 0
	get := func(k int) {
		if _, err := m.do(t.Context(), c, k, func(context.Context) ([]byte, error) {
			calls++
			return make([]byte, 1<<20-memoOverhead), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := other.do(t.Context(), c, "old", func(context.Context) ([]byte, error) { return make([]byte, 100), nil }); err != nil {
		t.Fatal(err)
	}
	for k := range 10 {
		get(k)
	}
	if len(m.calls) != 4 || len(other.calls) != 0 || c.answers.ledger.held > 4<<20 {
		t.Errorf("%d results, %d older ones of another kind, %d bytes", len(m.calls), len(other.calls), c.answers.ledger.held)
	}
	get(9)
	if calls != 10 {
		t.Errorf("%d calls, want 10: the newest was forgotten", calls)
	}
	get(0)
	if calls != 11 {
		t.Errorf("%d calls, want 11: the oldest was not forgotten", calls)
	}
	if _, err := other.do(t.Context(), c, "large", func(context.Context) ([]byte, error) { return make([]byte, 5<<20), nil }); err != nil {
		t.Fatal(err)
	}
	if len(m.calls) != 4 || len(other.calls) != 0 {
		t.Errorf("after a large one: %d results, %d of another kind", len(m.calls), len(other.calls))
	}
}

// A memo does not remember errors, and cancels calls without a waiter.
func TestMemo_errors(t *testing.T) {
	var m memo[string, string]
	boom := errors.New("boom")
	for range 2 {
		if _, err := m.do(t.Context(), &Client{}, "k", func(context.Context) (string, error) { return "", boom }); err != boom {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := m.do(ctx, &Client{}, "k", func(ctx context.Context) (string, error) {
			cancel()
			<-ctx.Done()
			ended <- ctx.Err()
			return "", ctx.Err()
		})
		ended <- err
	}()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// A key with numbers beyond the bounds is refused before anything is
// calculated with it.
func TestBoundKey(t *testing.T) {
	number := func(bits int) []byte { return append([]byte{byte(bits >> 8), byte(bits)}, make([]byte, (bits+7)/8)...) }
	key := func(algorithm byte, sizes ...int) []byte {
		b := []byte{4, 0, 0, 0, 0, algorithm}
		for _, s := range sizes {
			b = append(b, number(s)...)
		}
		return b
	}
	tests := []struct {
		name string
		key  []byte
		ok   bool
	}{
		{"RSA", key(1, 4096, 17), true},
		{"large RSA", key(1, 16385, 17), false},
		{"RSA with a large exponent", key(1, 2048, 2048), false},
		{"DSA", key(17, 3072, 256, 3072, 3072), true},
		{"DSA with a large q", key(17, 1024, 1024, 1024, 1024), false},
		{"large DSA", key(17, 8192, 256, 8192, 8192), false},
		{"EdDSA", key(22), true},
		{"RSA of version 6", append([]byte{6, 0, 0, 0, 0, 1, 0, 0, 1, 135}, key(1, 4096, 17)[6:]...), true},
		{"large RSA of version 6", append([]byte{6, 0, 0, 0, 0, 1, 0, 0, 1, 135}, key(1, 16385, 17)[6:]...), false},
		{"cut", []byte{4, 0, 0}, false},
		{"cut number", key(1), false},
	}
	for _, tt := range tests {
		if err := boundKey(tt.key); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestBadName(t *testing.T) {
	for _, name := range []string{"a", "a/b", "a.b", "é", "...", "a b", "terraform-provider-x_v1.0.0_x5.exe"} {
		if reason := badName(name); reason != "" && name != "..." {
			t.Errorf("%q %s", name, reason)
		}
	}
	for _, name := range []string{"", "/a", "..", "a/..", "a/../b", ".", "a/./b", "a//b", "a\\b", "c:a", "a\x00", "a\n", "a.", "a ", "x/a."} {
		if badName(name) == "" {
			t.Errorf("%q is accepted", name)
		}
	}
}

// The text of an error has everything, in one line.
func TestErrorText(t *testing.T) {
	e := &Error{
		Op: "versions", Method: "GET", URL: "https://x.example/v", Status: 503, Messages: []string{"busy"}, Attempts: 3,
		RetryAfter: time.Minute, Line: 2, Column: 5, Pointer: "/a", Err: errors.New("cause"),
	}
	want := "registry: versions: GET https://x.example/v: 503 Service Unavailable: line 2, column 5 (/a): cause (the server says: busy) (after 3 attempts) (try again in 1m0s)"
	if got := e.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, tt := range []struct {
		e    Error
		want bool
	}{
		{Error{Status: 503, Err: errors.New("x")}, true},
		{Error{Status: 404, Err: ErrNotFound}, false},
		{Error{Attempts: 1, Err: io.ErrUnexpectedEOF}, true},
		{Error{Attempts: 1, Err: fmt.Errorf("x: %w", ErrLimit)}, false},
		{Error{Attempts: 1, Err: context.Canceled}, false},
		{Error{Err: io.EOF}, false},
	} {
		if got := tt.e.Temporary(); got != tt.want {
			t.Errorf("%v: Temporary is %v", &tt.e, got)
		}
	}
}

// Two spellings of one URL have one origin.
func TestOrigin(t *testing.T) {
	same := []string{"https://X.example/a", "https://x.example:443/b?c", "https://x.EXAMPLE"}
	var got []string
	for _, s := range same {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, origin(u))
	}
	if len(slices.Compact(got)) != 1 {
		t.Errorf("got %v", got)
	}
}

// Whatever the text of a checksum document is, the strict reading is a part
// of the other one, or that is empty.
func FuzzSums(f *testing.F) {
	f.Add("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  terraform-provider-x_1.0.0_linux_amd64.zip\n\n \r\n")
	f.Add("\ufeff# x\n")
	f.Fuzz(func(t *testing.T, src string) {
		s := parseSums([]byte(src))
		all := s.all()
		for _, h := range s.packages("x", "1.0.0") {
			if all != nil && !slices.Contains(all, h) {
				t.Errorf("%s is not among all", h)
			}
		}
		for _, h := range all {
			if !isSHA256(h.Value()) {
				t.Errorf("%q is no hash", h)
			}
		}
		if sum, err := s.lookup("terraform-provider-x_1.0.0_linux_amd64.zip"); err == nil && !isSHA256(sum) {
			t.Errorf("lookup gives %q", sum)
		}
	})
}

// Nothing that a registry can send as keys, document and signature makes
// checkSignature panic, or pass.
func FuzzCheckSignature(f *testing.F) {
	f.Add("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZQ==\n-----END PGP PUBLIC KEY BLOCK-----", []byte("doc"), []byte{0x88, 0x01, 0x00})
	f.Add("", []byte(nil), []byte("-----BEGIN PGP SIGNATURE-----\n\niA==\n-----END PGP SIGNATURE-----"))
	f.Fuzz(func(t *testing.T, armor string, doc, sig []byte) {
		c := &Client{Policy: Policy{AcceptArmored: true, AcceptExpired: true}}
		v, err := c.checkSignature(t.Context(), []SigningKey{{ASCIIArmor: armor}}, doc, sig)
		if err != nil {
			t.Fatal(err)
		}
		if v.err == nil {
			t.Errorf("a signature by %+v out of nowhere", v.signer)
		} else if !errors.Is(v.err, ErrBadSignature) && !errors.Is(v.err, ErrLimit) {
			t.Errorf("got %v", v.err)
		}
	})
}

// Text of a server never reaches a terminal as more than text.
func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := printable.Line(s, 100)
		if len(got) > 103 || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("%q becomes %q", s, got)
		}
		if again := printable.Line(got, 200); again != got {
			t.Errorf("%q becomes %q becomes %q", s, got, again)
		}
	})
}

// Whatever a zip is: it is refused, or everything of it is unpacked below its
// directory.
func FuzzUnpack(f *testing.F) {
	for _, name := range []string{"a", "../a", "/a", "a/../../b"} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if e, err := w.Create(name); err == nil {
			io.WriteString(e, "x")
		}
		w.Close()
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		dir := t.TempDir()
		c := &Client{Limits: Limits{Unpacked: 1 << 20, Files: 100}}
		err := c.Unpack(t.Context(), bytes.NewReader(src), int64(len(src)), dir+"/x")
		names, readErr := readNames(dir)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if want := map[bool]int{true: 1, false: 0}[err == nil]; len(names) != want {
			t.Errorf("error %v leaves %v", err, names)
		}
	})
}

// The newest release that speaks a wanted protocol is suggested; what the source
// says nothing about is not.
func TestVersionList_suggest(t *testing.T) {
	version := func(s string, protocols ...string) ProviderVersion {
		return ProviderVersion{Version: addrs.MustParseVersion(s), Protocols: protocols}
	}
	list := &VersionList{Versions: []ProviderVersion{
		version("1.0.0", "5.0"), version("2.0.0", "x", "", "5.3", "6.0"), version("3.0.0", "6.1"), version("4.0.0"), version("5.0.0-beta1", "5.0"),
	}}
	for _, tt := range []struct {
		name   string
		majors []int
		want   string
	}{
		{"newest", []int{5, 6}, "3.0.0"},
		{"protocol", []int{5}, "2.0.0"},
		{"no such protocol", []int{4}, ""},
		{"nothing will do", nil, ""},
	} {
		v, ok := list.suggest(tt.majors)
		if ok != (tt.want != "") || ok && v.String() != tt.want {
			t.Errorf("%s: got %v, %v", tt.name, v, ok)
		}
	}
}
