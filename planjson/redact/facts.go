// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/addrtext"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/planjson"
)

// Facts are what a document says of its objects, anywhere. Objects are found by
// the hashes of their addresses: if two should share one, more is hidden.
type facts struct {
	schemas schemas
	seed    maphash.Seed

	interned  map[string]int32 // numbers of marks, by their text
	marks     []*mark
	sets      [][]*mark          // sets of marks; the first is empty
	grown     map[[2]int32]int32 // the set that has a mark besides those of a set
	byObject  map[uint64]int32   // sets, by address
	byBlock   map[string]map[*mark]bool
	ofBlock   map[string]blockMarks
	numbers   map[*mark]int32
	parsed    map[string]*mark // by their texts
	unions    map[union]*marks
	renamed   map[string]string // names of members and keys
	taken     map[string]int    // how often a text has become a name
	numbered  int               // the largest number that a name of the document ends with, if it has the token
	anyNumber bool              // numbers of names may have secrets

	instances map[string]*instances // by the blocks that have instances whose values are marked
	argNames  []byte                // of arguments with values
	seen      map[uint64]struct{}   // what has been seen of arguments, by block and names
	visits    map[uint64]visit
	moved     [][2]string
	hasMoved  map[string]bool
	second    bool // all of the document has been looked at once
	again     bool // some values were looked at before all marks were known

	config                      *planjson.Config
	configText                  []byte
	types, modes, providerNames lastText

	providers map[string]string // full names, by the keys of provider configurations
	variables map[string][]byte
	why       map[string]reason // for variables and outputs of all modules that are hidden
	partly    map[string]bool   // variables that are a part of something partly sensitive
	public    map[uint64]struct{}
	words     map[string]bool // public constants that are words
	learned   map[string]struct{}
	secrets   *knowntext.Set
	token     string // represents strings
	quoted    []byte
	n         int // values replaced
	work      int // bytes and marks looked at, for a test
}

// A visit is a look at an object.
type visit struct {
	hash   uint64 // of the value that was looked at
	set    int32  // of the marks that were known then, if isOpen
	first  int32  // of the marks that were known when the object was first looked at
	isOpen bool   // the value has not been looked at again when the changes were known
}

func newFacts(r *Redactor) *facts {
	f := &facts{
		seed: maphash.MakeSeed(), interned: map[string]int32{}, numbers: map[*mark]int32{}, sets: [][]*mark{nil}, grown: map[[2]int32]int32{}, byObject: map[uint64]int32{},
		byBlock: map[string]map[*mark]bool{}, ofBlock: map[string]blockMarks{}, instances: map[string]*instances{}, seen: map[uint64]struct{}{},
		visits: map[uint64]visit{}, variables: map[string][]byte{}, public: map[uint64]struct{}{}, words: map[string]bool{},
		learned: map[string]struct{}{}, hasMoved: map[string]bool{}, token: r.Text,
	}
	f.schemas.doc = r.Schemas
	if f.token == "" {
		f.token = "(sensitive value)"
	}
	f.secrets = knowntext.New(r.Secrets)
	if f.secrets.In(f.token) {
		f.token = "***"
	}
	f.quoted = quote(f.token)
	return f
}

func (f *facts) hash(s string) uint64 { return maphash.String(f.seed, s) }

// objectHash returns the hash of an address that marks are asked for, or
// anything if there are none.
func (e *engine) objectHash(address string) uint64 {
	if !e.learning && len(e.byObject) == 0 {
		return 0
	}
	return e.hash(address)
}

// note takes note of a mark of an object.
func (f *facts) note(address string, m *mark) {
	f.noteAt(f.hash(address), address, addrtext.WithoutKeys(address), m)
}

// noteAt is note for an address whose hash and block are known.
func (f *facts) noteAt(at uint64, address, block string, m *mark) {
	if m == nil || address == "" {
		return
	}
	n := f.number(m)
	set := f.byObject[at]
	to := f.with(set, n)
	if to == set {
		return
	}
	f.byObject[at] = to
	if f.byBlock[block] == nil {
		f.byBlock[block] = make(map[*mark]bool)
	}
	f.byBlock[block][f.marks[n]] = true
}

// number returns the number of a mark, which is the same for all that say the same.
func (f *facts) number(m *mark) int32 {
	n, ok := f.numbers[m]
	if !ok {
		key := m.append(nil)
		if n, ok = f.interned[string(key)]; !ok {
			n = int32(len(f.marks))
			f.interned[string(key)] = n
			f.marks = append(f.marks, m)
		}
		f.numbers[m] = n
	}
	return n
}

// maxParsed bounds the texts of marks that are kept, and their number.
const maxParsed = 1 << 12

// mark returns what a valid text says, which often is what another one said.
func (f *facts) mark(text []byte) *mark {
	if m, ok := f.parsed[string(text)]; ok {
		return m
	}
	m := parseMark(text)
	if len(text) > maxParsed {
		return m
	}
	if f.parsed == nil || len(f.parsed) >= maxParsed {
		f.parsed = make(map[string]*mark)
	}
	f.parsed[string(text)] = m
	return m
}

// maxMarks is how many marks an object can have. One that has more is sensitive as a
// whole: no tool says so many things of an object.
const maxMarks = 32

// with returns the number of the set that has a mark besides those of a set.
func (f *facts) with(set, n int32) int32 {
	key := [2]int32{set, n}
	if to, ok := f.grown[key]; ok {
		return to
	}
	f.work += len(f.sets[set])
	for _, m := range f.sets[set] {
		if m == f.marks[n] || m.all {
			f.grown[key] = set
			return set
		}
	}
	if len(f.sets[set]) >= maxMarks && !f.marks[n].all {
		to := f.with(set, f.number(allMark))
		f.grown[key] = to
		return to
	}
	to := int32(len(f.sets))
	f.sets = append(f.sets, append(f.sets[set][:len(f.sets[set]):len(f.sets[set])], f.marks[n]))
	f.grown[key], f.grown[[2]int32{to, n}] = to, to
	return to
}

// marksAt returns the marks of an object.
func (f *facts) marksAt(address string) []*mark { return f.sets[f.byObject[f.hash(address)]] }

func (f *facts) isAllMarked(address string) bool {
	for _, m := range f.marksAt(address) {
		if m.all {
			return true
		}
	}
	return false
}

// alias takes note that an object had another address.
func (f *facts) alias(address, previous string) {
	for _, m := range f.marksAt(previous) {
		f.note(address, m)
	}
	f.moved = append(f.moved, [2]string{address, previous})
	f.hasMoved[address] = true
}

// blockMarks are the marks of all instances of a block, when there were so many.
type blockMarks struct {
	marks *marks
	n     int
}

// blockMarks returns the marks of all instances of a block.
func (f *facts) blockMarks(block string) *marks {
	n := len(f.byBlock[block])
	if known, ok := f.ofBlock[block]; ok && known.n == n {
		return known.marks
	}
	var sources []source
	work := 0
	for m := range f.byBlock[block] {
		sources = append(sources, source{m, reasonElsewhere})
		work += m.size()
	}
	f.work += work
	m := newMarks(sources, 16*work+1000)
	f.ofBlock[block] = blockMarks{m, n}
	return m
}

// maxWalks is how many instances of a block are looked at in depth, to find out
// which arguments of nested blocks have values.
const maxWalks = 8

// instances are those of a block.
type instances struct {
	block  uint64    // the hash of its address
	walks  int       // how many of them have been looked at in depth
	args   []part    // with values, sorted; no more than maxArgs
	recent [4]uint64 // the hashes of values that were looked at
	next   int       // which of them is the oldest
}

// A part is a part of the names that a document has.
type part struct{ start, end int }

// maxArgs is how many arguments of a block are kept sorted.
const maxArgs = 256

// observe takes note of which arguments of a block have values in an instance.
// Constants of others, such as write-only arguments, cannot be judged.
func (e *engine) observe(block string, values span, hash uint64) {
	if e.document != typePlan || e.Keep&Constants != 0 || e.isAbsent(values) || e.text[values.at] != '{' {
		return // there are no arguments, or they are not judged
	}
	known := e.instances[block]
	if known == nil {
		known = &instances{block: e.hash(block)}
		e.instances[block] = known
	}
	deep := known.walks < maxWalks
	if deep {
		known.walks++
	}
	if slices.Contains(known.recent[:], hash) {
		return
	}
	known.recent[known.next%len(known.recent)] = hash
	known.next++
	k := 0
	for i := jsonscan.Space(e.text, values.at+1); e.text[i] != '}'; i = afterComma(e.text, i) {
		end := jsonscan.StringEnd(e.text, i)
		arg := jsonscan.UnquoteBytes(e.text[i:end])
		start := afterColon(e.text, end)
		i = e.end(start)
		e.work += i - end
		if e.text[start] == 'n' {
			continue
		}
		k = e.seeArg(known, arg, k)
		if value := e.text[start:i]; deep && (value[0] == '[' || value[0] == '{') {
			key := e.key(known.block, arg)
			if e.see(e.below(key, value)) {
				e.observePart(key, value)
			}
		}
	}
}

// seeArg takes note that an argument of a block has a value. It most likely is
// the one with number k. It returns the number that the next one most likely has.
func (e *engine) seeArg(known *instances, arg []byte, k int) int {
	is := func(k int) int { return bytes.Compare(e.argNames[known.args[k].start:known.args[k].end], arg) }
	for ; k < len(known.args); k++ {
		if order := is(k); order == 0 {
			return k + 1
		} else if order > 0 {
			break
		}
	}
	if k > 0 && is(k-1) > 0 {
		found := false
		if k, found = e.findArg(known, arg); found {
			return k + 1
		}
	}
	if len(known.args) >= maxArgs {
		e.see(e.key(known.block, arg))
		return k
	}
	start := len(e.argNames)
	e.argNames = append(e.argNames, arg...)
	known.args = slices.Insert(known.args, k, part{start, len(e.argNames)})
	return k + 1
}

// findArg returns the number that an argument of a block has or would have.
func (f *facts) findArg(known *instances, arg []byte) (int, bool) {
	return slices.BinarySearchFunc(known.args, arg, func(p part, arg []byte) int { return bytes.Compare(f.argNames[p.start:p.end], arg) })
}

// observePart takes note of which names in the argument with this key have values.
func (e *engine) observePart(key uint64, value []byte) {
	for k := 0; k < len(value); {
		if value[k] != '"' {
			k++
			continue
		}
		end := jsonscan.StringEnd(value, k)
		if next := jsonscan.Space(value, end); next < len(value) && value[next] == ':' {
			if next = jsonscan.Space(value, next+1); value[next] != 'n' {
				e.see(e.below(key, jsonscan.UnquoteBytes(value[k:end])))
			}
		}
		k = end
	}
}

// see takes note of a key, and reports whether it is new.
func (f *facts) see(key uint64) bool {
	n := len(f.seen)
	f.seen[key] = struct{}{}
	return len(f.seen) > n
}

const prime = 0x9e3779b97f4a7c15

// key returns the key of an argument in seen.
func (f *facts) key(block uint64, arg []byte) uint64 { return block*prime ^ maphash.Bytes(f.seed, arg) }

// below returns the key of something in what has a key.
func (f *facts) below(key uint64, name []byte) uint64 { return key*prime ^ maphash.Bytes(f.seed, name) }

// isSeen reports whether an argument has a value in an instance, or a name in it
// that is not empty.
func (f *facts) isSeen(block, arg, name string) bool {
	if name == "" {
		if known := f.instances[block]; known != nil {
			if _, ok := f.findArg(known, []byte(arg)); ok {
				return true
			}
		}
	}
	key := f.key(f.hash(block), []byte(arg))
	if name != "" {
		key = f.below(key, []byte(name))
	}
	_, ok := f.seen[key]
	return ok
}

// hashOf returns the hash of a value, if there is one.
func (e *engine) hashOf(value span) uint64 {
	if e.isAbsent(value) {
		return 0
	}
	return maphash.Bytes(e.seed, e.text[value.at:value.end])
}

// visit takes note that an object is looked at now, and one of its values, with
// the marks that are known by now.
func (e *engine) visit(at uint64, set int32, value span, hash uint64) {
	v, ok := e.visits[at]
	if !ok {
		v.first = set
	}
	if !e.isAbsent(value) {
		e.work += value.end - value.at
		e.again = e.again || v.isOpen && v.set != set
		v.hash, v.set, v.isOpen = hash, set, true
	} else if ok {
		return
	}
	e.visits[at] = v
}

// revisit takes note that a value which may have been looked at before is
// looked at now.
func (e *engine) revisit(at uint64, value span, hash uint64) {
	if v, ok := e.visits[at]; ok && v.isOpen && v.hash == hash && !e.isAbsent(value) {
		v.isOpen = false
		e.visits[at] = v
	}
}

// learn takes the texts in a sensitive value for known secrets, if they are
// long and odd enough.
func (e *engine) learn(value []byte) {
	if e.OnlyMarked {
		return
	}
	e.work += len(value)
	least := e.least()
	leaves(value, func(token []byte, name bool) { e.learnText(leafText(token), least, name, 0) })
}

// least returns how long a known secret is at least.
func (e *engine) least() int {
	if e.MinSecret == 0 {
		return 6
	}
	return e.MinSecret
}

// leafText returns what the token of a string, a number or a name says.
func leafText(token []byte) string {
	if token[0] == '"' {
		return jsonscan.Unquote(token)
	}
	return string(token)
}

// maxEmbedded is how deep JSON is looked for in strings of JSON.
const maxEmbedded = 4

// learnText is learn for one text. Of those that come with others, as names and
// the texts in a string of JSON do, words are no secrets.
func (e *engine) learnText(text string, least int, withOthers bool, depth int) {
	// What has been redacted before is no secret.
	if !strings.Contains(text, e.token) {
		e.learnPart(text, text, least, withOthers)
	} else {
		for part := range strings.SplitSeq(text, e.token) {
			e.learnPart(text, part, least, withOthers)
		}
	}
	if inner := strings.TrimSpace(text); depth < maxEmbedded && inner != "" && (inner[0] == '{' || inner[0] == '[') {
		d := []byte(inner)
		if end, fault := jsonscan.Value(d, 0, jsonscan.MaxDepth); fault != jsonscan.OK || end != len(d) {
			return
		}
		leaves(d, func(token []byte, name bool) { e.learnText(leafText(token), least, true, depth+1) })
	}
}

func (e *engine) learnPart(text, part string, least int, withOthers bool) {
	switch {
	case part != text && isNumbering(part), len(part) < least, part == "true", part == "false", strings.TrimSpace(part) == "",
		withOthers && isWord(part), isShortNumber(part):
		return
	}
	e.learned[part] = struct{}{}
}

// isNumbering reports whether text is what sets names apart from which the same
// secret was taken: " (2)".
func isNumbering(text string) bool {
	digits, ok := strings.CutPrefix(text, " (")
	digits, closed := strings.CutSuffix(digits, ")")
	return ok && closed && strings.Trim(digits, "0123456789") == ""
}

// isShortNumber reports whether a text is a number below six digits. One with an
// exponent is none: no tool writes it, and a password of hexadecimal digits can look
// like it.
func isShortNumber(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case !strings.ContainsRune("+-.", r):
			return false
		}
	}
	if digits >= 6 {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// rulesFor returns the rules about an object.
func (e *engine) rulesFor(address, block, typ string) *progress {
	if len(e.Rules) == 0 {
		return nil
	}
	resource := withoutKey(address)
	return rulesFor(e.Rules, typ, func(a string) bool { return a == address || a == block || a == resource })
}

// rulesForBlock returns the rules about any instance of a block.
func (e *engine) rulesForBlock(block, typ string) *progress {
	if len(e.Rules) == 0 {
		return nil
	}
	return rulesFor(e.Rules, typ, func(a string) bool { return a == block || addrtext.WithoutKeys(a) == block })
}

// withoutKey returns the address of the resource of an instance.
func withoutKey(address string) string {
	last := -1
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			end := addrtext.KeyEnd(address, i)
			if end >= len(address)-1 {
				last = i
			}
			i = end
		}
	}
	if last < 0 {
		return address
	}
	return address[:last]
}

// providerOf returns the full name of the provider that a block uses.
func (f *facts) providerOf(key string) string { return f.providers[key] }

// finish draws the conclusions once all of a document has been seen.
func (e *engine) finish() error {
	for _, m := range e.moved {
		for _, x := range e.marksAt(m[1]) {
			e.note(m[0], x)
		}
		for _, x := range e.marksAt(m[0]) {
			e.note(m[1], x)
		}
	}
	for at, v := range e.visits {
		e.again = e.again || v.isOpen && v.set != e.byObject[at]
	}
	if e.config != nil {
		e.providers = make(map[string]string)
		for key, p := range e.config.ProviderConfig {
			if p != nil {
				e.providers[key] = p.FullName
			}
		}
	}
	e.follow()
	if e.config != nil {
		if _, err := e.piece(e.configText, &member{nest: anObject, verdict: verdictRecurse, child: typeConfig}, typeNone, new(context)); err != nil {
			return err
		}
	}
	for address, value := range e.variables {
		cx := &context{address: address}
		if _, err := e.piece(value, &member{name: "value", verdict: verdictValue}, typeVariable, cx); err != nil {
			return err
		}
	}
	return nil
}

// allSecrets returns the texts that must not occur anywhere.
func (e *engine) allSecrets() []string {
	all := append([]string(nil), e.Secrets...)
	for text := range e.learned {
		if !e.words[text] {
			all = append(all, text)
		}
	}
	return all
}
