// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"index/suffixarray"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A TextRemover replaces known secrets in the log of a run: output for people, standard error,
// messages of -json runs, the tool's log, YAML. It works line by line. [RemoveSecretsFromText]
// returns one. It is safe for concurrent use. A nil TextRemover has no secrets.
type TextRemover struct {
	set    *knowntext.Set
	pieces *pieces
	token  string
}

// minPiece is how many characters of a secret a line has at least that is hidden for them.
const minPiece = 8

// maxTextLine is the length in bytes from which a TextRemover replaces a line as a whole,
// because it has no place for it.
const maxTextLine = 16 << 20

// RemoveSecretsFromText returns a TextRemover for known secrets, such as those that the
// method KnownSecrets of redact.Redactor returns for a plan. Empty secrets are ignored.
//
// It finds secrets in the same forms as [RemoveSecrets], even with color codes inside. It also
// finds secrets that are spread over lines: as they are, escaped, in base64, in hexadecimal (also
// with colons), and in the output of xxd, hexdump and od. In each line it hides a part of at
// least eight characters at the beginning or the end, or the entire line. A secret of several
// lines is hidden in each line that has at least eight characters.
//
// It ignores indentation, the frames that the tools draw, and known prefixes of lines: a time,
// "null_resource.a (local-exec):", "web-1 |", "[build]", prefixes of the runners of GitHub (also
// "gh run view --log"), GitLab, Azure Pipelines, Buildkite, Jenkins and TeamCity, of terragrunt,
// syslog and container runtimes ("stdout F"), and a column that ends with a tab. After any other
// prefix, the middle lines of a secret that is spread over lines are not found. Also not found are
// secrets without eight characters on any line, text in base32, in binary digits (xxd -b) or in
// other alphabets, and text spread over lines that is compressed or encoded twice, such as base64
// of hexadecimal.
//
// In a line with JSON, such as a message of a -json run, each string is treated as lines,
// including strings of JSON inside strings. The JSON stays valid, unless a secret contains its
// quotes or commas; text before it stays. A message keeps its time and the words of its format. JSON
// that is not UTF-8 is text. A line without a secret keeps its bytes. If the text begins like
// UTF-16, all of it is read as UTF-16.
//
// A secret number is also hidden inside a longer number, but not in the fraction of a second, as
// in 12:34:56.123456789. KnownSecrets omits numbers of fewer than six digits, also as strings,
// texts of less than six bytes, unless the Redactor has another MinSecret, and plain texts, such
// as a password that is a word, unless it has Plain set to Everywhere: a log has no marked
// places. To hide another text, append it to the secrets.
//
// In URLs, it always replaces the user information, except the user git, and the arguments of the
// query, except those that say which version is meant, such as ref: the errors of backends have
// the URLs that they were configured with.
func RemoveSecretsFromText(secrets []string) *TextRemover {
	all := make([]string, 0, len(secrets))
	for _, s := range secrets {
		all = append(all, s)
		for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); line != s && utf8.RuneCountInString(line) >= minPiece {
				all = append(all, line)
			}
		}
	}
	t := &TextRemover{set: knowntext.New(all), pieces: newPieces(secrets), token: Redacted}
	if t.set.In(t.token) {
		t.token = "***"
	}
	return t
}

// Bytes returns text with [Redacted] in place of the secrets. The result is text itself if
// there are none.
func (t *TextRemover) Bytes(text []byte) []byte {
	if t == nil {
		return text
	}
	if orderOf(text, nil) > orderNone {
		var b bytes.Buffer
		if err := t.Copy(&b, bytes.NewReader(text)); err == nil && !bytes.Equal(b.Bytes(), text) {
			return b.Bytes()
		}
		return text
	}
	return t.bytes(text, 0)
}

// bytes is Bytes for a text that is in so many strings of JSON, one inside the other.
func (t *TextRemover) bytes(text []byte, depth int) []byte {
	var out []byte
	changed := false
	for rest := text; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		line := t.line(rest[:n], depth)
		if !changed && &line[0] != &rest[0] {
			changed = true
			out = append(make([]byte, 0, len(text)), text[:len(text)-len(rest)]...)
		}
		if changed {
			out = append(out, line...)
		}
		rest = rest[n:]
	}
	if !changed {
		return text
	}
	return out
}

// Copy copies r to w, with [Redacted] in place of the secrets, until r ends. Each line is
// written as soon as it is complete. A line of more than 16 MiB is replaced as a whole. An
// error of r or w is returned unchanged, except io.EOF.
func (t *TextRemover) Copy(w io.Writer, r io.Reader) error {
	if t == nil {
		_, err := io.Copy(w, r)
		return err
	}
	in := bufio.NewReaderSize(r, 64<<10)
	begin, err := in.Peek(2)
	order := orderOf(begin, err)
	if order == orderUnknown {
		begin, err = in.Peek(4)
		order = orderOf(begin, err)
	}
	if err != nil {
		in.Reset(io.MultiReader(bytes.NewReader(bytes.Clone(begin)), failed{err}))
	}
	for {
		line, err := readLine(in, order)
		if len(line) > 0 {
			if len(line) <= maxTextLine {
				line = t.coded(line, order)
			} else {
				line = order.line(t.token, err == nil)
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// coded returns a line of a text without secrets.
func (t *TextRemover) coded(line []byte, order byteOrder) []byte {
	if order <= orderNone {
		return t.line(line, 0)
	}
	text := order.decode(line)
	now := t.line(text, 0)
	if bytes.Equal(now, text) {
		return line
	}
	return order.encode(now)
}

// readLine returns a line with its end. One above the limit is read to its end, and more
// than maxTextLine bytes of it are returned.
func readLine(r *bufio.Reader, order byteOrder) (line []byte, err error) {
	size, last := 0, byte(0xff)
	for {
		part, err := r.ReadSlice('\n')
		size += len(part)
		if len(line) <= maxTextLine {
			line = append(line, part...)
		}
		if len(part) > 1 {
			last = part[len(part)-2]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			last = part[len(part)-1]
			continue
		case err != nil || order <= orderNone:
			return line, err
		}
		// In UTF-16 the other byte of a line feed is zero, and it begins at an even place.
		if order == orderBig && size%2 == 0 && last == 0 {
			return line, nil
		}
		last = '\n'
		if order == orderLittle && size%2 == 1 {
			if last, err = r.ReadByte(); err != nil {
				return line, err
			}
			size++
			line = append(line, last)
			if last == 0 {
				return line, nil
			}
		}
	}
}

// failed is a reader that has failed.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// line returns a line, which may have a line end, without secrets. In a line with JSON the strings are looked at one
// by one, as those of messages.
func (t *TextRemover) line(line []byte, depth int) []byte {
	if depth < maxNested {
		text := trimEnd(line)
		if now, found := t.mixed(text, depth); found {
			if &now[0] == &text[0] {
				return line
			}
			return append(now, line[len(text):]...)
		}
	}
	now := t.plain(line)
	if bytes.IndexByte(now, 0x1b) < 0 {
		return now
	}
	text := withoutSequences(now) // a secret may have colours in the middle
	if clean := t.plain(text); !bytes.Equal(clean, text) {
		return clean
	}
	return now
}

// withoutSequences returns a line without terminal sequences such as those for colours.
func withoutSequences(line []byte) (text []byte) {
	for len(line) > 0 {
		n, unclean := next(line)
		if !unclean || n == 1 {
			text = append(text, line[:n]...)
		}
		line = line[n:]
	}
	return text
}

// plain returns a line, which may have a line end, without secrets and the credentials of URLs. It
// is text.
func (t *TextRemover) plain(line []byte) []byte {
	if !t.set.IsEmpty() {
		line = t.known(line)
	}
	if bytes.Contains(line, []byte(":/")) || bytes.Contains(line, []byte(`:\/`)) {
		text := string(line)
		if now := printable.Credentials(text, t.token); now != text {
			return []byte(now)
		}
	}
	return line
}

// known is plain for the known secrets alone.
func (t *TextRemover) known(line []byte) []byte {
	text := trimEnd(line)
	start, end := frame(text)
	if now, dumped := t.withoutDumps(text, t.token); dumped {
		line = slices.Concat(now, line[len(text):])
		text = now
		start, end = frame(text)
	}
	from, to, head, tail := t.spread(text, start, end)
	if head+tail == 0 {
		now, changed := t.set.Replace(string(text), t.token)
		if !changed {
			return line
		}
		return append([]byte(now), line[len(text):]...)
	}
	// A whole secret with its padding of base64 is more than the part that a piece has.
	if head+tail >= to-from || t.replace(string(text[from:to])) == t.token {
		head, tail = to-from, 0
	}
	var out []byte
	if out = append(out, t.replace(string(text[:from]))...); head > 0 {
		out = append(out, t.token...)
	}
	if out = append(out, t.replace(string(text[from+head:to-tail]))...); tail > 0 {
		out = append(out, t.token...)
	}
	return append(append(out, text[to:]...), line[len(text):]...)
}

// spread returns where the text of a line begins and ends, and how many bytes of it belong to
// secrets that are spread over lines. The text begins where the frame ends or, if no part of a
// secret is there, behind something that programs write before each line.
func (t *TextRemover) spread(text []byte, start, end int) (from, to, head, tail int) {
	if len(t.pieces.text) > 1 {
		for at := range labels(text[start:min(end, start+maxLabels)]) {
			inner, _ := frame(text[start+at : end])
			behind := start + at + inner
			for from = behind; from >= behind-marks(text[:behind]); from-- {
				if end-from < minPiece {
					continue
				}
				if head = t.pieces.head(text[from:end]); head > 0 {
					return from, end, head, t.pieces.tail(text[from:end])
				}
			}
			if end-behind < minPiece {
				break
			}
		}
	}
	head, tail = t.pieces.find(text[start:end])
	return start, end, head, tail
}

// What programs write before each line is at most maxLabels bytes long, and has at most maxWords
// words that may be the last one.
const (
	maxLabels = 256
	maxWords  = 16
)

// labels returns an iterator over the places of a line where the line proper may begin: its own
// beginning, and behind each word and blanks that may end what a program writes before each line,
// such as the time, "null_resource.a (local-exec):", "web-1 |" or "[build]".
func labels(line []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		if !yield(0) {
			return
		}
		words := 0
		for at := 0; at < len(line) && words < maxWords; {
			if n := glued(line[at:]); n > 0 && !yield(at+n) {
				return
			}
			n := bytes.IndexAny(line[at:], " \t\a")
			if n < 0 {
				return
			}
			word := line[at : at+n]
			// A column as of "gh run view --log", and the numbers of nl and cat -n.
			column := n > 0 && line[at+n] == '\t'
			if line[at+n] == '\a' { // the end of a terminal sequence, such as that of Buildkite with the time
				n++
				word = line[at : at+n]
			}
			for at += n; at < len(line) && (line[at] == ' ' || line[at] == '\t'); at++ {
			}
			if column || isLabel(word) {
				if words++; !yield(at) {
					return
				}
			}
		}
	}
}

// isLabel reports whether a word may be the last one that a program writes before each line.
func isLabel(word []byte) bool {
	if at := bytes.IndexByte(word, 0x1b); at > 0 { // the colours end with the label
		word = word[:at]
	}
	if isStream(word) || len(word) >= 10 && len(bytes.Trim(word, "0123456789.")) == 0 { // the latter is a time
		return true
	}
	switch string(word) {
	case "": // blanks follow another word or begin the line
		return false
	case "stdout", "stderr", "F", "P", "INFO", "DEBUG": // of container runtimes and loggers
		return true
	}
	return bytes.IndexByte([]byte(":|]>)\a"), word[len(word)-1]) >= 0 || bytes.IndexByte(word, ':') >= 0 && bytes.ContainsAny(word, "0123456789")
}

// isStream reports whether a word is what GitLab writes behind the time: two digits, and whether it is output or errors.
func isStream(word []byte) bool {
	return len(word) == 3 && bytes.ContainsAny(word[2:], "OE") && len(bytes.Trim(word[:2], "0123456789abcdef")) == 0
}

// glued returns the length of what is written before a line without a blank behind it: the commands of Azure
// Pipelines, as in "##[debug]", and a line that goes on in GitLab, as in "00O+".
func glued(line []byte) int {
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(line, "#"), []byte("[")):
		return bytes.IndexByte(line, ']') + 1
	case len(line) > 4 && isStream(line[:3]) && line[3] == '+':
		return 4
	}
	return 0
}

// withoutDumps returns a line with token in place of the lists of numbers that have bytes of a secret, with what dumps print
// of them as text behind two spaces, and reports whether there were any.
func (t *TextRemover) withoutDumps(line []byte, token string) (now []byte, dumped bool) {
	for now = line; ; dumped = true {
		next, found := t.withoutSomeDumps(now, token)
		if !found {
			break
		}
		now = next // a line between bars is read as one list: what else there is comes the next time
	}
	if !knowntext.MayDump(now) {
		return now, dumped
	}
	for at := range labels(now[:min(len(now), maxLabels)]) { // dumps begin a line, or the end of a label looks like a number, as the F of "stdout F"
		inner, _ := frame(now[at:])
		if at += inner; at == 0 || at == len(now) {
			continue
		}
		if next, found := t.withoutSomeDumps(now[at:], token); found {
			return slices.Concat(now[:at], next), true
		}
	}
	return now, dumped
}

func (t *TextRemover) withoutSomeDumps(line []byte, token string) (now []byte, found bool) {
	done := 0
	knowntext.Dumps(line, func(start, end int, plain []byte) bool {
		if start < done { // it is gone, by another reading
			return true
		}
		if head, tail := t.pieces.find(plain); head+tail == 0 && !t.set.In(string(plain)) {
			return true
		}
		if bytes.HasPrefix(line[end:], []byte("  ")) {
			end = len(line)
		}
		now = append(append(now, line[done:start]...), token...)
		done, found = end, true
		return end < len(line)
	})
	if !found {
		return line, false
	}
	return append(now, line[done:]...), true
}

func (t *TextRemover) replace(text string) string {
	now, _ := t.set.Replace(text, t.token)
	return now
}

// frame returns where the text of a line begins and ends that is within white space,
// terminal sequences and the frames that the tools draw.
func frame(line []byte) (start, end int) {
	end = len(line)
	for start < end {
		switch r, n := utf8.DecodeRune(line[start:]); {
		case r == 0x1b:
			n, _ = next(line[start:])
			start += n
		case r == ' ' || r == '\t' || strings.ContainsRune("│╷╵|>+~#", r):
			start += n
		default:
			for start < end {
				near := max(start, end-maxSequence)
				if at := bytes.LastIndexByte(line[near:end], 0x1b); at >= 0 {
					if n, _ := next(line[near+at : end]); near+at+n == end {
						end = near + at
						continue
					}
				}
				if !strings.ContainsRune(" \t\r\\", rune(line[end-1])) {
					break
				}
				end--
			}
			return start, end
		}
	}
	return start, end
}

// marks returns how many bytes at the end of a frame may be the first ones of a secret's part: the
// plus sign is a letter of base64.
func marks(frame []byte) int {
	near := frame[max(0, len(frame)-minPiece):]
	return len(near) - len(bytes.TrimRight(near, "|>+~#"))
}

// Pieces finds parts of secrets where a line begins or ends, as a secret is spread over lines.
type pieces struct {
	index *suffixarray.Index
	text  []byte // the secrets as they may be spelled, each between zero bytes
}

// maxPieces is how much of each spelling of a secret counts, and maxHits in how many places a
// piece is looked at. A piece with more is hidden.
const (
	maxPieces = 1 << 20
	maxHex    = 64 << 10 // of a secret that is looked for in hexadecimal
	maxHits   = 256
)

func newPieces(secrets []string) *pieces {
	p := &pieces{text: []byte{0}}
	for _, s := range secrets {
		if utf8.RuneCountInString(s) < minPiece {
			continue
		}
		s = s[:min(len(s), maxPieces)]
		for _, spelling := range spellings(s) {
			p.text = append(append(p.text, spelling...), 0)
		}
	}
	p.index = suffixarray.New(p.text)
	return p
}

// spellings returns how a secret may be spelled that is spread over lines.
func spellings(s string) []string {
	all := []string{s}
	if quoted, err := json.Marshal(s); err == nil && len(quoted) > len(s)+2 {
		all = append(all, string(quoted[1:len(quoted)-1]))
	}
	for shift := range 3 { // what is before the secret in the encoded text
		b := base64.StdEncoding.EncodeToString([]byte("\x00\x00\x00"[:shift] + s))
		b = strings.TrimRight(b[4*min(shift, 1):], "=")
		if n := (len(s) + shift) % 3; n != 0 {
			b = b[:max(len(b)-1, 0)] // depends on what follows
		}
		all = append(all, b)
		if url := strings.NewReplacer("+", "-", "/", "_").Replace(b); url != b {
			all = append(all, url)
		}
	}
	if len(s) <= maxHex {
		lower := hex.EncodeToString([]byte(s))
		colons := make([]byte, 0, len(lower)*3/2) // also where a line has few
		for i := 0; i < len(lower); i += 2 {
			colons = append(append(colons, lower[i:i+2]...), ':')
		}
		all = append(all, lower, strings.ToUpper(lower), string(colons), strings.ToUpper(string(colons)))
	}
	return all
}

// find returns how many bytes at the beginning and at the end of a line belong to secrets.
func (p *pieces) find(line []byte) (head, tail int) {
	if len(line) < minPiece || len(p.text) == 1 {
		return 0, 0
	}
	return p.head(line), p.tail(line)
}

// head returns how long a part of a secret is that a line begins with, and that goes on to
// the end of the secret or of the line.
func (p *pieces) head(line []byte) (length int) {
	hits, all := p.hits(line[:minPiece])
	if !all {
		return len(line)
	}
	for _, at := range hits {
		n := commonPrefix(line, p.text[at:])
		if n > length && isLong(line[:n]) && (n == len(line) || isEnd(p.text[at+n])) {
			length = n
		}
	}
	return length
}

// tail is head for the end of the line, and parts that begin where the secret does.
func (p *pieces) tail(line []byte) (length int) {
	hits, all := p.hits(line[len(line)-minPiece:])
	if !all {
		return len(line)
	}
	for _, at := range hits {
		end := at + minPiece
		n := minPiece
		for n < len(line) && p.text[end-n-1] == line[len(line)-n-1] && line[len(line)-n-1] != 0 {
			n++
		}
		if n > length && isLong(line[len(line)-n:]) && (n == len(line) || isEnd(p.text[end-n-1])) {
			length = n
		}
	}
	return length
}

// hits returns where a text is in the secrets, and whether these are all. A zero byte is between
// secrets, and so in none.
func (p *pieces) hits(text []byte) (places []int, all bool) {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, true
	}
	places = p.index.Lookup(text, maxHits+1)
	return places, len(places) <= maxHits
}

// isEnd reports whether a byte is outside of a secret, or of one of its lines.
func isEnd(b byte) bool { return b == 0 || b == '\n' || b == '\r' }

func isLong(piece []byte) bool { return utf8.RuneCount(piece) >= minPiece }

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && a[n] != 0 {
		n++
	}
	return n
}
