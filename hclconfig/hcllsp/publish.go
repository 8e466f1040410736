// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// How long a change waits for the next one, and how long the modules that call wait for quiet.
const (
	waitForKeys  = 20 * time.Millisecond
	waitForQuiet = 150 * time.Millisecond
)

// A publisher checks the modules of the open documents and those that call them, and tells the
// client what changed. One goroutine does all of it.
type publisher struct {
	s    *server
	wake chan struct{}
	done chan struct{}

	mu      sync.Mutex
	view    *view
	touched map[string]bool      // documents that get their list in any case, by path
	dirty   map[string]bool      // modules
	other   map[string]*document // documents without a path, by URI
	gone    []string             // URIs that are not open any more
	every   bool

	// The following belong to the goroutine.
	byDir map[string]map[string][]diagnostic // by module, and name of the file
	last  map[string]string                  // what was published, by URI
	calls map[string]*callsOf                // by module
	stale bool                               // callers are not checked yet
	above map[string]bool                    // the modules whose callers are not checked
}

func newPublisher(s *server) *publisher {
	p := &publisher{
		s: s, wake: make(chan struct{}, 1), done: make(chan struct{}),
		touched: map[string]bool{}, dirty: map[string]bool{}, other: map[string]*document{},
		byDir: map[string]map[string][]diagnostic{}, last: map[string]string{}, calls: map[string]*callsOf{}, above: map[string]bool{},
	}
	go p.loop()
	return p
}

func (p *publisher) stop() { close(p.done) }

func (p *publisher) tell(v *view, note func()) {
	p.mu.Lock()
	p.view = v
	note()
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// changed notes that a document was opened or changed.
func (p *publisher) changed(v *view, path string) {
	p.tell(v, func() {
		if counts(path) {
			p.touched[path] = true
			p.dirty[v.moduleDir(path)] = true
			if base := filepath.Base(path); base == ".tflint.hcl" || base == ".tflint.json" || base == ".tofuwire-lint.hcl" {
				p.every = true
			}
		}
	})
}

// untitled notes that a document without a path was opened or changed.
func (p *publisher) untitled(v *view, d *document) { p.tell(v, func() { p.other[d.uri] = d }) }

// closed notes that a document was closed.
func (p *publisher) closed(v *view, d *document) {
	p.tell(v, func() {
		delete(p.other, d.uri)
		delete(p.touched, d.at)
		p.gone = append(p.gone, d.uri)
		p.every = true
	})
}

// all notes that anything may have changed.
func (p *publisher) all(v *view) { p.tell(v, func() { p.every = true }) }

// A job is what there is to do.
type job struct {
	view           *view
	touched, dirty map[string]bool
	other          map[string]*document
	gone           []string
	every          bool
}

func (p *publisher) take() job {
	p.mu.Lock()
	defer p.mu.Unlock()
	j := job{p.view, p.touched, p.dirty, p.other, p.gone, p.every}
	p.touched, p.dirty, p.other, p.gone, p.every = map[string]bool{}, map[string]bool{}, map[string]*document{}, nil, false
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
	own := map[string]bool{}
	for at := range v.docs {
		if counts(at) {
			own[v.moduleDir(at)] = true
		}
	}
	if j.every {
		p.stale = true
		maps.Copy(j.dirty, own)
	}
	for _, dir := range slices.Sorted(maps.Keys(j.dirty)) {
		if own[dir] {
			p.above[dir] = true
			p.module(v, dir, j.touched)
		}
	}
	if p.woken(waitForQuiet) {
		return
	}
	wanted := p.callers(v, own)
	changed := p.above
	for _, dir := range slices.Sorted(maps.Keys(wanted)) {
		if !own[dir] || wanted[dir] != nil {
			if !p.stale && p.byDir[dir] != nil && !reaches(wanted[dir], changed) {
				continue
			}
			if own[dir] && j.dirty[dir] {
				continue // just checked
			}
			p.module(v, dir, nil)
			if p.woken(0) {
				return
			}
		}
	}
	for dir := range p.byDir {
		if _, ok := wanted[dir]; !ok && !own[dir] {
			p.say(v, dir, nil, nil)
			delete(p.byDir, dir)
		}
	}
	p.stale, p.above = false, map[string]bool{}
}

// reaches reports whether one of the modules below changed.
func reaches(below, changed map[string]bool) bool {
	for dir := range below {
		if changed[dir] {
			return true
		}
	}
	return false
}

// module checks one module, and publishes.
func (p *publisher) module(v *view, dir string, touched map[string]bool) {
	p.say(v, dir, p.s.check(v, dir).files, touched)
}

// say publishes what is said about a module: the lists that changed, and those of documents that
// were touched.
func (p *publisher) say(v *view, dir string, files map[string][]diagnostic, touched map[string]bool) {
	before := p.byDir[dir]
	p.byDir[dir] = files
	for at := range touched {
		if d := v.docs[at]; d != nil && v.moduleDir(at) == dir {
			p.publish(d.uri, d.version, files[nameOf(at)], true)
		}
	}
	for name := range files {
		p.file(v, name, files[name])
	}
	for name := range before {
		if _, ok := files[name]; !ok {
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
	files   []*parsedFile
	targets []string
}

// callers returns the modules that call others of those that have open documents, directly or
// not, each with the modules below it that it reaches and that have open documents.
func (p *publisher) callers(v *view, own map[string]bool) map[string]map[string]bool {
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
	out := map[string]map[string]bool{}
	for dir := range own {
		seen := map[string]bool{dir: true}
		for queue := []string{dir}; len(queue) > 0; queue = queue[1:] {
			for _, caller := range up[queue[0]] {
				if seen[caller] {
					continue
				}
				seen[caller] = true
				if out[caller] == nil {
					out[caller] = map[string]bool{}
				}
				out[caller][dir] = true
				queue = append(queue, caller)
			}
		}
	}
	return out
}

// callsFrom returns the directories of the local modules that a module calls.
func (p *publisher) callsFrom(v *view, dir string) []string {
	var files []*parsedFile
	entries, _ := v.ReadDir(nameOf(dir))
	for _, e := range entries {
		if isConfiguration(e) {
			if f, err := v.read(realPathOf(dir, e)); err == nil {
				files = append(files, f)
			}
		}
	}
	if c := p.calls[dir]; c != nil && slices.Equal(c.files, files) {
		return c.targets
	}
	c := &callsOf{files: files}
	for _, f := range files {
		c.targets = append(c.targets, v.localCalls(f, dir)...)
	}
	p.calls[dir] = c
	return c.targets
}
