// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"errors"
	"hash/maphash"
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

	interned map[string]int32 // numbers of marks, by their text
	marks    []*mark
	sets     [][]*mark          // sets of marks; the first is empty
	grown    map[[2]int32]int32 // the set that has a mark besides those of a set
	byObject map[uint64]int32   // sets, by address
	byBlock  map[string]map[*mark]bool
	numbers  map[*mark]int32
	parsed   map[string]*mark // by their texts
	unions   map[union]*marks
	renamed  map[string]string // names of members
	taken    map[string]int

	instances map[string]*instances // by the blocks that have instances whose values are marked
	seen      map[uint64]struct{}   // arguments with values, by block and names
	visits    map[uint64]visit
	moved     [][2]string
	again     bool // some values were looked at before all marks were known

	config     *planjson.Config
	configText []byte
	providers  map[string]string // full names, by the keys of provider configurations
	variables  map[string][]byte
	why        map[string]reason // for variables and outputs of all modules that are hidden
	partly     map[string]bool   // variables that are a part of something partly sensitive
	public     map[uint64]struct{}
	words      map[string]bool // public constants that are words
	learned    map[string]struct{}
	secrets    *knowntext.Set
	token      string // stands for strings
	quoted     []byte
	n          int // values replaced
	work       int // bytes and marks looked at, for a test
}

// A visit is a value that was looked at before the changes were known.
type visit struct {
	hash uint64
	set  int32
}

func newFacts(r *Redactor) *facts {
	f := &facts{
		seed: maphash.MakeSeed(), interned: map[string]int32{}, numbers: map[*mark]int32{}, sets: [][]*mark{nil}, grown: map[[2]int32]int32{}, byObject: map[uint64]int32{},
		byBlock: map[string]map[*mark]bool{}, instances: map[string]*instances{}, seen: map[uint64]struct{}{},
		visits: map[uint64]visit{}, variables: map[string][]byte{}, public: map[uint64]struct{}{}, words: map[string]bool{},
		learned: map[string]struct{}{}, token: r.Text,
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

// note takes note of a mark of an object.
func (f *facts) note(address string, m *mark) {
	if m == nil || address == "" {
		return
	}
	n, ok := f.numbers[m]
	if !ok {
		key := m.append(nil)
		known, ok := f.interned[string(key)]
		if !ok {
			known = int32(len(f.marks))
			f.interned[string(key)] = known
			f.marks = append(f.marks, m)
		}
		n = known
		f.numbers[m] = n
	}
	at := f.hash(address)
	set := f.byObject[at]
	to := f.with(set, n)
	if to == set {
		return
	}
	f.byObject[at] = to
	block := addrtext.WithoutKeys(address)
	if f.byBlock[block] == nil {
		f.byBlock[block] = make(map[*mark]bool)
	}
	f.byBlock[block][f.marks[n]] = true
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

// with returns the number of the set that has a mark besides those of a set.
func (f *facts) with(set, n int32) int32 {
	key := [2]int32{set, n}
	if to, ok := f.grown[key]; ok {
		return to
	}
	for _, m := range f.sets[set] {
		if m == f.marks[n] {
			f.grown[key] = set
			return set
		}
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
}

// blockMarks returns the marks of all instances of a block.
func (f *facts) blockMarks(block string) *marks {
	var sources []source
	work := 0
	for m := range f.byBlock[block] {
		sources = append(sources, source{m, reasonElsewhere})
		work += m.size()
	}
	return newMarks(sources, 16*work+1000)
}

// maxWalks is how many instances of a block are looked at in depth, to find out
// which arguments of nested blocks have values.
const maxWalks = 8

// instances are those of a block.
type instances struct {
	block uint64 // the hash of its address
	walks int    // how many of them have been looked at in depth
}

// observe takes note of which arguments of a block have values in an instance.
// Constants of others, such as write-only arguments, nobody can judge.
func (e *engine) observe(block string, values span) {
	if e.isAbsent(values) || e.text[values.at] != '{' {
		return
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
	of := known.block
	for i := jsonscan.Space(e.text, values.at+1); e.text[i] != '}'; i = afterComma(e.text, i) {
		end := jsonscan.StringEnd(e.text, i)
		arg := jsonscan.UnquoteBytes(e.text[i:end])
		start := jsonscan.Space(e.text, jsonscan.Space(e.text, end)+1)
		i = e.index.End(start)
		e.work += i - end
		if e.text[start] == 'n' {
			continue
		}
		e.see(e.key(of, arg, nil))
		if !deep || e.text[start] != '[' && e.text[start] != '{' {
			continue
		}
		part := e.text[start:i]
		for k := 0; k < len(part); {
			if part[k] != '"' {
				k++
				continue
			}
			end := jsonscan.StringEnd(part, k)
			if next := jsonscan.Space(part, end); next < len(part) && part[next] == ':' {
				if next = jsonscan.Space(part, next+1); part[next] != 'n' {
					e.see(e.key(of, arg, jsonscan.UnquoteBytes(part[k:end])))
				}
			}
			k = end
		}
	}
}

func (f *facts) see(key uint64) {
	if _, ok := f.seen[key]; !ok {
		f.seen[key] = struct{}{}
	}
}

// key returns the key of an argument, and of a name in it, in seen.
func (f *facts) key(block uint64, arg, name []byte) uint64 {
	const prime = 0x9e3779b97f4a7c15
	return (block*prime^maphash.Bytes(f.seed, arg))*prime ^ maphash.Bytes(f.seed, name)
}

// isSeen reports whether an argument has a value in an instance.
func (f *facts) isSeen(block, arg, name string) bool {
	_, ok := f.seen[f.key(f.hash(block), []byte(arg), []byte(name))]
	return ok
}

// visit takes note of a value that is looked at now, with the marks that are
// known by now.
func (e *engine) visit(address string, value span) {
	if e.isAbsent(value) {
		return
	}
	e.work += value.end - value.at
	at := e.hash(address)
	if v, ok := e.visits[at]; ok && v.set != e.byObject[at] {
		e.again = true
	}
	e.visits[at] = visit{maphash.Bytes(e.seed, e.text[value.at:value.end]), e.byObject[at]}
}

// revisit takes note that a value which may have been looked at before is
// looked at now.
func (e *engine) revisit(address string, value span) {
	at := e.hash(address)
	if v, ok := e.visits[at]; ok && v.hash == maphash.Bytes(e.seed, e.text[value.at:value.end]) {
		delete(e.visits, at)
	}
}

// learn takes the texts in a sensitive value for known secrets, if they are
// long and odd enough.
func (e *engine) learn(value []byte) {
	if e.OnlyMarked {
		return
	}
	e.work += len(value)
	least := e.MinSecret
	if least == 0 {
		least = 6
	}
	leaves(value, func(token []byte, name bool) { e.learnText(leafText(token), least, name, 0) })
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
	for part := range strings.SplitSeq(text, e.token) {
		switch {
		case part != text && isNumbering(part), len(part) < least, part == "true", part == "false", strings.TrimSpace(part) == "",
			withOthers && isWord(part), isShortNumber(part):
			continue
		}
		e.learned[part] = struct{}{}
	}
	if inner := strings.TrimSpace(text); depth < maxEmbedded && inner != "" && (inner[0] == '{' || inner[0] == '[') {
		d := []byte(inner)
		if end, fault := jsonscan.Value(d, 0, jsonscan.MaxDepth); fault != jsonscan.OK || end != len(d) {
			return
		}
		leaves(d, func(token []byte, name bool) { e.learnText(leafText(token), least, true, depth+1) })
	}
}

// isNumbering reports whether text is what sets names apart from which the same
// secret was taken: " (2)".
func isNumbering(text string) bool {
	digits, ok := strings.CutPrefix(text, " (")
	digits, closed := strings.CutSuffix(digits, ")")
	return ok && closed && strings.Trim(digits, "0123456789") == ""
}

// isShortNumber reports whether a text is a number below six digits.
func isShortNumber(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case !strings.ContainsRune("+-.eE", r):
			return false
		}
	}
	if digits >= 6 {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
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
		e.again = e.again || v.set != e.byObject[at]
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
