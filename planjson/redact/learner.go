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

// A learner is the pass that learns what a document says of its objects.
type learner struct{ *engine }

// piece learns what a piece says. The configuration is gone through when all of the document is
// known.
func (l *learner) piece(p piece) ([][]byte, error) {
	isObject := p.isItem && (p.member.child == typeResource || p.member.child == typeResourceChange)
	switch {
	case p.member != nil && p.member.child == typeConfig:
		return nil, l.keepConfig(p.text)
	case isObject && l.knows(p.text):
		return nil, nil
	case !isObject, !l.isFirst, len(l.Rules) > 0, l.Report != nil:
	case l.all == nil && len(l.results.all) >= maxResults:
	default:
		l.results.begin(p.at, l.hashOfItem(p.text))
	}
	err := l.learnPiece(p)
	l.results.end()
	return nil, err
}

// learnPiece learns what the events of a piece say.
func (l *learner) learnPiece(p piece) error {
	for ev := range l.events(p) {
		switch ev.kind {
		case eventObject:
			l.learnObject(ev)
		case eventRepeat:
			l.results.repeat(l.previous.start, l.previous.end, ev.start)
		case eventHidden:
			l.learnHidden(ev)
		case eventPublic:
			l.work += ev.end - ev.start
			l.texts.addPublic(l.text[ev.start:ev.end])
		case eventPlace:
			l.learnPlace(ev)
		case eventKeys: // those below the root may have to be hidden
			if ev.cx.block == "" || hasMembers(l.text[ev.start+1:ev.end]) {
				l.results.drop()
			}
		case eventVariable:
			l.variables[ev.cx.address] = bytes.Clone(l.text[ev.start:ev.end])
		case eventEnd:
			if ev.member == references {
				l.learnKeys(ev.cx.module, l.text[ev.start:ev.end])
			}
		}
	}
	return l.failed
}

// knows reports whether nothing more is to be learned from the text of an
// object, because all its marks were known when it was looked at first.
func (l *learner) knows(text []byte) bool {
	const name = `{"address":"`
	if l.isFirst || !bytes.HasPrefix(text, []byte(name)) {
		return false
	}
	token := text[len(name)-1:]
	address := jsonscan.UnquoteBytes(token[:jsonscan.StringEnd(token, 0)])
	at := maphash.Bytes(l.seed, address)
	return l.visits[at].first == l.byObject[at] && !l.hasMoved[string(address)]
}

// keepConfig keeps the configuration.
func (l *learner) keepConfig(text []byte) (err error) {
	if l.configText = text; l.all == nil {
		l.configText = bytes.Clone(text) // the reader goes on
	}
	l.config, err = planjson.DecodeConfig(l.configText)
	return err
}

// member takes note of the number that a name ends with.
func (l *learner) member(token []byte, name string, own bool) string {
	if own {
		l.noteNumbers(token)
	}
	return name
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

// learnHidden takes note that a value is to be hidden, and takes the texts in it for known
// secrets if it is sensitive.
func (l *learner) learnHidden(ev event) {
	if c := l.text[ev.start]; c == '{' || c == '[' {
		l.results.drop()
	} else if l.replacement(l.text[ev.start:ev.end]) != "" {
		l.results.hide(ev.start)
	}
	switch {
	case l.OnlyMarked:
	case ev.why < reasonFlow:
		l.work += ev.end - ev.start
		l.learn(ev.start, ev.end)
	case ev.why == reasonRemote:
		l.learnRemote(ev.start, ev.end)
	}
}

// learnObject takes note of the marks of an object, and of its arguments.
func (l *learner) learnObject(ev event) {
	switch ev.typ {
	case typeOutput:
		l.note(ev.cx.address, allMark)
	case typeChange:
		if ev.cx.address != "" {
			l.learnChange(ev.cx)
		}
	default:
		if ev.cx.unknown { // what is marked is a secret elsewhere too, also without a schema
			ev.cx.unknown = false
			l.results.drop()
		}
		l.learnInstance(ev.cx, ev.typ)
	}
}

func (l *learner) learnInstance(c *context, t typeID) {
	at, of := l.hash(c.address), l.said
	if of.previous != "" {
		l.alias(c.address, of.previous)
	}
	l.noteAt(at, c.address, c.block, c.own[0])
	l.setMarks(c, at)
	if !l.isFirst {
		c.done = t == typeResource && l.visits[at].first == c.set
		return
	}
	l.texts.declare(c.address, c.block)
	if t != typeResourceChange || !l.isAbsent(of.before) {
		hash := l.hashOf(of.before)
		if of.marked {
			l.observe(c.block, of.before, hash)
		}
		l.visit(at, c.set, of.before, hash)
	}
}

func (l *learner) learnChange(c *context) {
	at, block, of := l.hash(c.address), c.block, l.said
	if block == "" {
		block = plantext.WithoutKeys(c.address)
	}
	l.noteAt(at, c.address, block, c.own[0])
	l.noteAt(at, c.address, block, c.own[1])
	l.setMarks(c, at)
	if !l.isFirst {
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

// setMarks makes the marks of an object that are known by now those of its values.
func (l *learner) setMarks(c *context, at uint64) {
	c.set, c.isSet = l.byObject[at], true
	l.results.last.object, l.results.last.set = at, c.set
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
		i = l.valueEnd(start)
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
	l.indexed = false // the index is that of the last piece, also if nothing of it was to be learned
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
		m := &member{nest: anObject, verdict: verdictRecurse, child: typeConfig}
		if err := l.learnPiece(piece{text: l.configText, member: m, cx: new(context)}); err != nil {
			return err
		}
	}
	for address, value := range l.variables {
		m := &member{name: "value", verdict: verdictValue}
		if err := l.learnPiece(piece{text: value, typ: typeVariable, member: m, cx: &context{address: address}}); err != nil {
			return err
		}
	}
	return nil
}
