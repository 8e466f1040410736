// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"cmp"
	"hash/maphash"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// A learner is the phase that learns what a document says of its objects.
type learner struct {
	*engine
	second bool // all of the document has been looked at once
}

func (l *learner) begin()               {}
func (l *learner) isFirst() bool        { return !l.second }
func (l *learner) closed() reason       { return 0 }
func (l *learner) copy(int)             {}
func (l *learner) pass(int)             {}
func (l *learner) identity(int)         {}
func (l *learner) fixed(int)            {}
func (l *learner) address(*member, int) {}
func (l *learner) rename([]byte)        {}

// end ends the result of an object.
func (l *learner) end() [][]byte {
	l.results.end()
	return nil
}

// repeat takes note of what is to be hidden in a value that is the same as the one before.
func (l *learner) repeat(d *done) { l.results.repeat(d.start, d.end, l.i) }

// item begins the result of an object.
func (l *learner) item(text []byte, at int64, t typeID) ([][]byte, bool) {
	switch {
	case l.knows(text, t):
		return nil, true
	case l.second, t != typeResource && t != typeResourceChange, len(l.Rules) > 0, l.Report != nil:
	case l.all == nil && len(l.results.all) >= maxResults:
	default:
		l.results.begin(at, l.hashOfItem(text))
	}
	return nil, false
}

// knows reports whether nothing more is to be learned from the text of an
// object of type t, because all its marks were known when it was looked at first.
func (l *learner) knows(text []byte, t typeID) bool {
	const name = `{"address":"`
	if !l.second || t != typeResource && t != typeResourceChange || !bytes.HasPrefix(text, []byte(name)) {
		return false
	}
	token := text[len(name)-1:]
	address := jsonscan.UnquoteBytes(token[:jsonscan.StringEnd(token, 0)])
	at := maphash.Bytes(l.seed, address)
	return l.visits[at].first == l.byObject[at] && !l.hasMoved[string(address)]
}

// configuration takes note of the configuration. It is gone through when all of the
// document is known.
func (l *learner) configuration(text func() []byte) (bool, error) {
	l.indexed = false
	l.configText = text()
	var err error
	l.config, err = planjson.DecodeConfig(l.configText)
	return true, err
}

// member takes note of the number that a name ends with.
func (l *learner) member(token []byte, name string, own bool) string {
	if own {
		l.noteNumbers(token)
	}
	return name
}

// companion goes past what has the keys of a value. If it has some below its root, they may
// have to be hidden.
func (l *learner) companion(_ typeID, _ *member, cx *context) {
	start := l.skip()
	if value := l.text[start+1 : l.i]; cx.block == "" || hasMembers(value) {
		l.results.drop()
	}
}

// hasMembers reports whether an object that is not empty begins in a text.
func hasMembers(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '{')
		if i < 0 {
			return false
		}
		if text = text[i+1:]; text[0] != '}' {
			return true
		}
	}
}

func (l *learner) keys(*marks, *shape, *progress) {
	l.skip()
	l.results.drop()
}

func (l *learner) extra([]byte) {
	if start := l.skip(); l.Keep&Extra == 0 {
		l.noteHidden(start)
	}
}

// noteHidden takes note that the value is to be hidden that begins at start and has been skipped.
func (l *learner) noteHidden(start int) {
	if c := l.text[start]; c == '{' || c == '[' {
		l.results.drop()
	} else if l.replacement(l.text[start:l.i]) != "" {
		l.results.hide(start)
	}
}

// references learns the keys in references to variables that are sensitive.
func (l *learner) references(module string, start int) { l.learnKeys(module, l.text[start:l.i]) }

// variable keeps the value of a variable until the configuration is known.
func (l *learner) variable(cx *context) {
	if l.why == nil {
		start := l.skip()
		l.variables[cx.address] = append([]byte(nil), l.text[start:l.i]...)
		return
	}
	l.judgeVariable(cx)
}

// shown takes note that a part of something partly sensitive is public.
func (l *learner) shown(m, part *marks) {
	if m != nil && part == nil {
		value := l.text[l.i:l.index.End(l.i)]
		l.work += len(value)
		l.texts.addPublic(value)
	}
}

// hide takes the texts in a sensitive value for known secrets.
func (l *learner) hide(why reason, _ *shape, _ bool) {
	start := l.skip()
	l.noteHidden(start)
	switch {
	case l.OnlyMarked:
	case why < reasonFlow:
		l.work += l.i - start
		l.learn(start, l.i)
	case why == reasonRemote:
		l.learnRemote(start, l.i)
	}
}

// unknown goes on as if there were no schemas: what is marked is a secret elsewhere too.
func (l *learner) unknown(*context) bool {
	l.results.drop()
	return false
}

func (l *learner) sensitiveOutput(address string) { l.note(address, allMark) }

// instance takes note of the marks of an instance, and of its arguments.
func (l *learner) instance(c *context, t typeID, of instanceFacts) {
	at := l.hash(c.address)
	if of.previous != "" {
		l.alias(c.address, of.previous)
	}
	l.noteAt(at, c.address, c.block, c.own[0])
	c.set, c.isSet = l.byObject[at], true
	l.results.last.object, l.results.last.set = at, c.set
	if l.second {
		c.done = t == typeResource && l.visits[at].first == c.set
		return
	}
	l.texts.declare(c.address, c.block)
	if t != typeResourceChange || !l.isAbsent(of.values) {
		hash := l.hashOf(of.values)
		if of.marked {
			l.observe(c.block, of.values, hash)
		}
		l.visit(at, c.set, of.values, hash)
	}
}

// change takes note of the marks of a change, and of its arguments.
func (l *learner) change(c *context, of changeFacts) {
	if c.address == "" {
		return
	}
	at, block := l.hash(c.address), c.block
	if block == "" {
		block = plantext.WithoutKeys(c.address)
	}
	l.noteAt(at, c.address, block, c.own[0])
	l.noteAt(at, c.address, block, c.own[1])
	c.set, c.isSet = l.byObject[at], true
	l.results.last.object, l.results.last.set = at, c.set
	if l.second {
		c.done = c.block != "" && l.visits[at].first == c.set
		return
	}
	hashBefore, hashAfter := l.hashOf(of.before), l.hashOf(of.after)
	if of.marked && c.block != "" {
		l.observe(c.block, of.before, hashBefore)
		l.observe(c.block, of.after, hashAfter)
	}
	l.revisit(at, of.after, hashAfter)
	l.visit(at, c.set, of.before, hashBefore)
}

// alias takes note that an object had another address.
func (l *learner) alias(address, previous string) {
	for _, m := range l.marksAt(previous) {
		l.note(address, m)
	}
	l.moved = append(l.moved, [2]string{address, previous})
	l.hasMoved[address] = true
}

// hashOf returns the hash of a value, if there is one.
func (l *learner) hashOf(value memberSpan) uint64 {
	if l.isAbsent(value) {
		return 0
	}
	return maphash.Bytes(l.seed, l.text[value.at:value.end])
}

// visit takes note that an object is looked at now, and one of its values, with
// the marks that are known by now.
func (l *learner) visit(at uint64, set int32, value memberSpan, hash uint64) {
	v, ok := l.visits[at]
	if !ok {
		v.first = set
	}
	if !l.isAbsent(value) {
		l.work += value.end - value.at
		l.again = l.again || v.isOpen && v.set != set
		v.hash, v.set, v.isOpen = hash, set, true
	} else if ok {
		return
	}
	l.visits[at] = v
}

// revisit takes note that a value which may have been looked at before is
// looked at now.
func (l *learner) revisit(at uint64, value memberSpan, hash uint64) {
	if v, ok := l.visits[at]; ok && v.isOpen && v.hash == hash && !l.isAbsent(value) {
		v.isOpen = false
		l.visits[at] = v
	}
}

// observe takes note of which arguments of a block have values in an instance.
// Constants of others, such as write-only arguments, cannot be judged.
func (l *learner) observe(block string, values memberSpan, hash uint64) {
	if l.document != typePlan || l.Keep&Constants != 0 || l.isAbsent(values) || l.text[values.at] != '{' {
		return // there are no arguments, or they are not judged
	}
	known := l.arguments.of(block)
	deep := known.walks < maxWalks
	if deep {
		known.walks++
	}
	if !known.isNew(hash) {
		return
	}
	k := 0
	for i := jsonscan.Space(l.text, values.at+1); l.text[i] != '}'; i = afterComma(l.text, i) {
		end := jsonscan.StringEnd(l.text, i)
		arg := jsonscan.UnquoteBytes(l.text[i:end])
		start := afterColon(l.text, end)
		i = l.cursor.end(start)
		l.work += i - end
		if l.text[start] == 'n' {
			continue
		}
		k = l.seeArg(known, arg, k)
		if value := l.text[start:i]; deep && (value[0] == '[' || value[0] == '{') {
			key := l.key(known.block, arg)
			if l.see(l.below(key, value)) {
				l.observePart(key, value)
			}
		}
	}
}

// finish draws the conclusions once all of a document has been seen.
func (l *learner) finish() error {
	for _, m := range l.moved {
		for _, x := range l.marksAt(m[1]) {
			l.note(m[0], x)
		}
		for _, x := range l.marksAt(m[0]) {
			l.note(m[1], x)
		}
	}
	for at, v := range l.visits {
		l.again = l.again || v.isOpen && v.set != l.byObject[at]
	}
	if l.config != nil {
		l.providers = make(map[string]string)
		for key, p := range l.config.ProviderConfig {
			if p != nil {
				l.providers[key] = cmp.Or(p.FullName, p.Name)
			}
		}
	}
	l.follow()
	if l.config != nil {
		if _, err := l.piece(l.configText, &member{nest: anObject, verdict: verdictRecurse, child: typeConfig}, typeNone, new(context)); err != nil {
			return err
		}
	}
	for address, value := range l.variables {
		cx := &context{address: address}
		if _, err := l.piece(value, &member{name: "value", verdict: verdictValue}, typeVariable, cx); err != nil {
			return err
		}
	}
	return nil
}
