// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"
)

// How long a change waits for the next one, and how long the modules that call wait for quiet: for
// somebody who types, as many times as long as their check takes.
const (
	waitForKeys  = 20 * time.Millisecond
	waitForQuiet = 150 * time.Millisecond
	maxQuiet     = 2 * time.Second
	quietPerWork = 4
)

// A publisher checks the modules of the open documents and those that call them, and tells the
// client what changed. One goroutine does all of it.
type publisher struct {
	s    *server
	next atomic.Pointer[view] // the last one
	wake chan struct{}

	// The following belong to the goroutine.
	seen  *view                // the one that was looked at last
	byDir map[string]*findings // by module
	last  map[string]string    // what was published, by URI, unless it was nothing
	due   map[string]bool      // URIs of documents that get their list in any case
	calls map[string]callsOf   // by file
	quiet time.Duration        // how long the modules that call wait
}

// A findings has the lists of the files of a module, by their names in the file system of the view,
// and what they follow from.
type findings struct {
	files map[string][]diagnostic
	from  *trace
}

func newPublisher(s *server) *publisher {
	p := &publisher{
		s: s, wake: make(chan struct{}, 1), seen: s.view(), byDir: map[string]*findings{}, last: map[string]string{},
		due: map[string]bool{}, calls: map[string]callsOf{}, quiet: waitForQuiet,
	}
	go p.loop()
	return p
}

// look makes the publisher look at a view: anything may have changed.
func (p *publisher) look(v *view) {
	p.next.Store(v)
	p.again()
}

// again makes the publisher look at the last view again: the files on the disk may have changed.
func (p *publisher) again() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// woken waits, and reports whether there is something new.
func (p *publisher) woken(wait time.Duration) bool {
	select {
	case <-p.wake:
		p.again() // for the one who takes it
		return true
	case <-p.s.ctx.Done():
		return true
	case <-time.After(wait):
		return false
	}
}

func (p *publisher) loop() {
	for {
		select {
		case <-p.s.ctx.Done():
			return
		case <-p.wake:
		}
		time.Sleep(waitForKeys)
		select { // what came meanwhile is taken as well
		case <-p.wake:
		default:
		}
		if v := p.next.Load(); v != nil {
			p.do(v)
		}
	}
}

// do checks the modules of the documents that were opened, changed or closed at once, and all others
// that may say something new when it is quiet. Of the others only those are checked that something
// changed in which was read for them.
func (p *publisher) do(v *view) {
	defer func() {
		if caught := recover(); caught != nil {
			p.s.log.printf("error", "diagnostics panicked: %v\n%s", caught, debug.Stack())
		}
	}()
	own, changed := map[string]bool{}, p.changes(v)
	for _, d := range v.docs {
		if d.counts() && !d.hushed {
			own[v.moduleDir(d.at)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(changed)) {
		if own[dir] {
			p.module(v, dir, true)
		}
	}
	if !p.woken(p.quiet) {
		p.others(v, own)
	}
}

// changes returns the modules of the documents that are others than in the view before. It clears the
// lists of those that were closed, and publishes those of documents without a path.
func (p *publisher) changes(v *view) map[string]bool {
	before := p.seen.docs
	p.seen = v
	dirs := map[string]bool{}
	for key, d := range before {
		now := v.docs[key]
		if now == nil || now.uri != d.uri {
			p.publish(d.uri, nil, nil)
		}
		if now != d && d.counts() {
			dirs[v.moduleDir(d.at)] = true
		}
	}
	for key, d := range v.docs {
		switch {
		case d == before[key]:
		case d.at == "":
			p.due[d.uri] = true
			p.publish(d.uri, d.version, v.diagnosticsOf(d.parsedFile, d.meaning(v.dialect()).real))
		case d.counts():
			p.due[d.uri] = true
			dirs[v.moduleDir(d.at)] = true
		}
	}
	return dirs
}

// others checks the modules that call those of the open documents, and forgets what is not needed.
func (p *publisher) others(v *view, own map[string]bool) {
	start := time.Now()
	wanted := p.callers(v, own)
	maps.Copy(wanted, own)
	for _, dir := range slices.Sorted(maps.Keys(wanted)) {
		if p.module(v, dir, false) {
			p.quiet = min(max(waitForQuiet, quietPerWork*time.Since(start)), maxQuiet)
		}
		if p.woken(0) {
			return
		}
	}
	for dir := range p.byDir {
		if !wanted[dir] {
			p.say(v, dir, &findings{})
			delete(p.byDir, dir)
		}
	}
	p.forget(v)
}

// module checks a module, if it must be or something that its findings follow from changed, and
// publishes them. It reports whether it was checked.
func (p *publisher) module(v *view, dir string, must bool) bool {
	if f := p.byDir[dir]; f != nil && !must && f.from.holds(v) {
		return false
	}
	t := v.traced()
	p.say(v, dir, &findings{p.s.check(t, dir).files, t.trace})
	return true
}

// forget drops what was read for other modules than those that are checked.
func (p *publisher) forget(v *view) {
	needed := map[string]bool{}
	for at := range v.docs {
		needed[at] = true
	}
	for _, f := range p.byDir {
		for path := range f.from.files.Range {
			needed[path.(string)] = true
		}
	}
	if p.s.disk.drop(needed) {
		p.s.names.clear()
	}
}

// say publishes what is said about a module, in place of what was.
func (p *publisher) say(v *view, dir string, f *findings) {
	files := map[string][]diagnostic{}
	if before := p.byDir[dir]; before != nil {
		for name := range before.files {
			files[name] = nil
		}
	}
	p.byDir[dir] = f
	maps.Copy(files, f.files)
	for name, list := range files {
		var version *int
		if d := v.docs[osPath(name)]; d != nil {
			version = d.version
		}
		p.publish(v.uri(name), version, list)
	}
}

// publish sends the list of a file, if it is another one than before or is due.
func (p *publisher) publish(uri string, version *int, list []diagnostic) {
	var now string
	if len(list) > 0 {
		text, err := json.Marshal(list)
		if err != nil {
			return
		}
		now = string(text)
	}
	if now == p.last[uri] && !p.due[uri] {
		return
	}
	delete(p.due, uri)
	p.last[uri] = now
	if now == "" {
		delete(p.last, uri)
		list = []diagnostic{}
	}
	p.s.conn.notify("textDocument/publishDiagnostics", publishParams{URI: uri, Version: version, Diagnostics: list})
}

// callers returns the modules in the folders that call some others, directly or not.
func (p *publisher) callers(v *view, own map[string]bool) map[string]bool {
	tops := map[string]bool{}
	for dir := range own {
		for _, t := range v.tops(dir) {
			tops[t] = true
		}
	}
	up := map[string][]string{} // callers by called
	for _, dir := range v.modules(slices.Sorted(maps.Keys(tops))) {
		for _, to := range p.callsFrom(v, dir) {
			up[to] = append(up[to], dir)
		}
	}
	out := map[string]bool{}
	for queue := slices.Collect(maps.Keys(own)); len(queue) > 0; queue = queue[1:] {
		for _, caller := range up[queue[0]] {
			if !out[caller] {
				out[caller] = true
				queue = append(queue, caller)
			}
		}
	}
	return out
}

// A callsOf has the directories of the local modules that a file calls.
type callsOf struct {
	from    stamp // of the file
	targets []string
}

// callsFrom returns the directories of the local modules that a module calls.
func (p *publisher) callsFrom(v *view, dir string) []string {
	var out []string
	entries, _ := v.ReadDir(nameOf(dir))
	for _, e := range entries {
		if !isConfiguration(e) {
			continue
		}
		at := filepath.Join(dir, e.Name()) // links to files are read by their name
		c, now := p.calls[at], v.stamp(at)
		if c.from != now {
			c = callsOf{now, v.localCalls(at)}
			p.calls[at] = c
		}
		out = append(out, c.targets...)
	}
	return out
}

// localCalls returns the directories of the local modules that a file calls.
func (v *view) localCalls(at string) []string {
	p, err := v.read(at)
	if err != nil || !bytes.Contains(p.text, []byte("module")) || !bytes.Contains(p.text, []byte("source")) {
		return nil
	}
	f := p.meaning(v.dialect()).understood
	if f == nil {
		return nil
	}
	var out []string
	for _, c := range f.Config().Calls {
		if c.IsLocal() {
			out = append(out, realPath(osPath(c.LocalDir(nameOf(filepath.Dir(at))))))
		}
	}
	return out
}
