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
	"sync"
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
	wake chan struct{}
	done chan struct{}

	mu   sync.Mutex
	next job

	// The following belong to the goroutine.
	byDir map[string]*findings // by module
	last  map[string]string    // what was published, by URI
	calls map[string]*callsOf  // by module
	quiet time.Duration        // how long the modules that call wait
}

// A job is what there is to do. Modules are looked at in any case: those of which nothing that was
// read changed are not checked again.
type job struct {
	view    *view
	touched map[string]bool      // documents that get their list in any case, by path
	other   map[string]*document // documents without a path, by URI
	gone    []string             // URIs that are not open any more
}

func newJob() job { return job{touched: map[string]bool{}, other: map[string]*document{}} }

// A findings has the lists of the files of a module, by their names in the file system of the view,
// and what they follow from.
type findings struct {
	files map[string][]diagnostic
	from  *trace
	open  map[string]stamp // the documents of the module, also those that no program reads
}

func newPublisher(s *server) *publisher {
	p := &publisher{
		s: s, wake: make(chan struct{}, 1), done: make(chan struct{}), next: newJob(),
		byDir: map[string]*findings{}, last: map[string]string{}, calls: map[string]*callsOf{}, quiet: waitForQuiet,
	}
	go p.loop()
	return p
}

func (p *publisher) stop() { close(p.done) }

func (p *publisher) tell(v *view, note func(*job)) {
	p.mu.Lock()
	p.next.view = v
	note(&p.next)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// changed notes that a document was opened or changed.
func (p *publisher) changed(v *view, path string) {
	p.tell(v, func(j *job) {
		if counts(path) {
			j.touched[path] = true
		}
	})
}

// untitled notes that a document without a path was opened or changed.
func (p *publisher) untitled(v *view, d *document) { p.tell(v, func(j *job) { j.other[d.uri] = d }) }

// closed notes that a document was closed.
func (p *publisher) closed(v *view, d *document) {
	p.tell(v, func(j *job) {
		delete(j.other, d.uri)
		delete(j.touched, d.at)
		j.gone = append(j.gone, d.uri)
	})
}

// look notes that anything may have changed.
func (p *publisher) look(v *view) { p.tell(v, func(*job) {}) }

func (p *publisher) take() job {
	p.mu.Lock()
	defer p.mu.Unlock()
	j := p.next
	p.next = newJob()
	return j
}

// woken waits, and reports whether there is something new.
func (p *publisher) woken(wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-p.wake:
		select { // for the one who takes it
		case p.wake <- struct{}{}:
		default:
		}
		return true
	case <-p.done:
		return true
	case <-t.C:
		return false
	}
}

func (p *publisher) loop() {
	for {
		select {
		case <-p.done:
			return
		case <-p.wake:
		}
		select {
		case <-p.done:
			return
		case <-time.After(waitForKeys):
		}
		select { // what came meanwhile is taken as well
		case <-p.wake:
		default:
		}
		p.do(p.take())
	}
}

// do checks the modules of the documents that changed at once, and all others that may say something
// new when it is quiet.
func (p *publisher) do(j job) {
	defer func() {
		if caught := recover(); caught != nil {
			p.s.log.printf("error", "diagnostics panicked: %v\n%s", caught, debug.Stack())
		}
	}()
	v := j.view
	for _, uri := range j.gone {
		if v.untitled[uri] == nil {
			p.publish(uri, nil, nil, false)
		}
	}
	for _, d := range j.other {
		if v.untitled[d.uri] == d {
			p.publish(d.uri, d.version, v.diagnosticsOf(d.parsedFile, d.meaning(v.dialect()).real), true)
		}
	}
	own, first := map[string]bool{}, map[string]bool{}
	for at, d := range v.docs {
		if counts(at) && !d.hushed {
			dir := v.moduleDir(at)
			own[dir] = true
			first[dir] = first[dir] || j.touched[at]
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(first)) {
		if first[dir] {
			p.module(v, dir, j.touched)
		}
	}
	if p.woken(p.quiet) {
		return
	}
	p.others(v, own)
}

// others checks the modules that call those of the open documents, and forgets what is not needed.
func (p *publisher) others(v *view, own map[string]bool) {
	start := time.Now()
	wanted := p.callers(v, own)
	maps.Copy(wanted, own)
	for _, dir := range slices.Sorted(maps.Keys(wanted)) {
		if p.module(v, dir, nil) {
			p.quiet = min(max(waitForQuiet, quietPerWork*time.Since(start)), maxQuiet)
		}
		if p.woken(0) {
			return
		}
	}
	for dir := range p.byDir {
		if !wanted[dir] {
			p.say(v, dir, &findings{}, nil)
			delete(p.byDir, dir)
		}
	}
	p.forget(v)
}

// module checks a module if something that it follows from changed, and publishes. It reports whether
// it was checked.
func (p *publisher) module(v *view, dir string, touched map[string]bool) bool {
	f := p.byDir[dir]
	open := v.openIn(dir)
	changed := f == nil || !f.from.holds(v) || !maps.Equal(f.open, open)
	if changed {
		t := v.traced()
		f = &findings{p.s.check(t, dir).files, t.trace, open}
	}
	p.say(v, dir, f, touched)
	return changed
}

// forget drops what was read for other modules than those that are checked.
func (p *publisher) forget(v *view) {
	needed := map[string]bool{}
	for at := range v.docs {
		needed[at] = true
	}
	for _, f := range p.byDir {
		for path := range f.from.files {
			needed[path] = true
		}
	}
	if p.s.disk.drop(needed) {
		p.s.names.drop(needed)
	}
	for uri, list := range p.last {
		if list == "[]" {
			delete(p.last, uri)
		}
	}
}

// say publishes what is said about a module: the lists that changed, and those of documents that
// were touched.
func (p *publisher) say(v *view, dir string, f *findings, touched map[string]bool) {
	before := p.byDir[dir]
	p.byDir[dir] = f
	for at := range touched {
		if d := v.docs[at]; d != nil && v.moduleDir(at) == dir {
			p.publish(d.uri, d.version, f.files[nameOf(at)], true)
		}
	}
	if before == f {
		return
	}
	for name := range f.files {
		p.file(v, name, f.files[name])
	}
	if before == nil {
		return
	}
	for name := range before.files {
		if _, ok := f.files[name]; !ok {
			p.file(v, name, nil)
		}
	}
}

func (p *publisher) file(v *view, name string, list []diagnostic) {
	var version *int
	if d := v.docs[osPath(name)]; d != nil {
		version = d.version
	}
	p.publish(v.uri(name), version, list, false)
}

// publish sends the list of a file, if it is another one than before or must be sent.
func (p *publisher) publish(uri string, version *int, list []diagnostic, always bool) {
	if list == nil {
		list = []diagnostic{}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return
	}
	before, ok := p.last[uri]
	if !ok {
		before = "[]"
	}
	if !always && before == string(text) {
		return
	}
	p.last[uri] = string(text)
	p.s.conn.notify("textDocument/publishDiagnostics", publishParams{URI: uri, Version: version, Diagnostics: list})
}

// A callsOf has the directories of the local modules that a module calls.
type callsOf struct {
	from    []stamp // of its files
	targets []string
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

// callsFrom returns the directories of the local modules that a module calls.
func (p *publisher) callsFrom(v *view, dir string) []string {
	c := &callsOf{}
	var paths []string
	entries, _ := v.ReadDir(nameOf(dir))
	for _, e := range entries {
		if isConfiguration(e) {
			at := filepath.Join(dir, e.Name()) // links to files are read by their name
			paths, c.from = append(paths, at), append(c.from, v.stamp(at))
		}
	}
	if old := p.calls[dir]; old != nil && slices.Equal(old.from, c.from) {
		return old.targets
	}
	for _, at := range paths {
		if f, err := v.read(at); err == nil {
			c.targets = append(c.targets, v.localCalls(f, dir)...)
		}
	}
	p.calls[dir] = c
	return c.targets
}

// localCalls returns the directories of the local modules that a file calls.
func (v *view) localCalls(p *parsedFile, dir string) []string {
	if !bytes.Contains(p.text, []byte("module")) || !bytes.Contains(p.text, []byte("source")) {
		return nil
	}
	f := p.meaning(v.dialect()).understood
	if f == nil {
		return nil
	}
	var out []string
	for _, c := range f.Config().Calls {
		if c.IsLocal() {
			out = append(out, realPath(osPath(c.LocalDir(nameOf(dir)))))
		}
	}
	return out
}
