// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// commandSchemas is the command that writes the document of the setting schemas.
const commandSchemas = "tofuwire.schemas"

// initialize takes what the client can do, and says what the server does.
func (s *server) initialize(raw json.RawMessage) (any, error) {
	var p initializeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, &wireError{Code: codeInvalidParams, Message: err.Error()}
	}
	s.caps = p.Capabilities
	if s.caps.lists("general.positionEncodings", string(utf8Encoding)) {
		s.enc = utf8Encoding
	}
	switch {
	case p.WorkspaceFolders != nil:
		for _, f := range p.WorkspaceFolders {
			s.addFolder(f.URI)
		}
	case p.RootURI != nil:
		s.addFolder(*p.RootURI)
	case p.RootPath != nil && *p.RootPath != "":
		s.folders = append(s.folders, realPath(filepath.Clean(*p.RootPath)))
	}
	s.phase = running
	s.configure(p.InitializationOptions)
	if p.ProcessID != nil {
		go s.watchParent(*p.ProcessID)
	}
	var rename any = true
	if s.caps.has("textDocument.rename.prepareSupport") {
		rename = map[string]any{"prepareProvider": true}
	}
	info := map[string]any{"name": "tofuwire"}
	if s.opts.Version != "" {
		info["version"] = s.opts.Version
	}
	return map[string]any{
		"serverInfo": info,
		"capabilities": map[string]any{
			"positionEncoding":                s.enc,
			"textDocumentSync":                map[string]any{"openClose": true, "change": 2, "save": map[string]any{}},
			"definitionProvider":              true,
			"referencesProvider":              true,
			"hoverProvider":                   true,
			"documentHighlightProvider":       true,
			"documentSymbolProvider":          true,
			"workspaceSymbolProvider":         true,
			"renameProvider":                  rename,
			"documentFormattingProvider":      true,
			"documentRangeFormattingProvider": true,
			"codeActionProvider":              map[string]any{"codeActionKinds": []string{kindQuickFix, kindFixAll}},
			"foldingRangeProvider":            true,
			"documentLinkProvider":            map[string]any{},
			"executeCommandProvider":          map[string]any{"commands": []string{commandSchemas}},
			"workspace":                       map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
		},
	}, nil
}

// watchParent ends the server when the process of the client is gone.
func (s *server) watchParent(pid int) {
	tick := time.NewTicker(20 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) == os.ErrProcessDone {
				os.Exit(1)
			}
		}
	}
}

func (s *server) addFolder(uri string) {
	if p, ok := keyOf(uri); ok && !slices.Contains(s.folders, p) {
		s.folders = append(slices.Clone(s.folders), p)
	}
}

// configure takes an object of settings, and looks anew.
func (s *server) configure(raw json.RawMessage) {
	set, faults := readSettings(raw)
	s.settings = set
	s.terms++
	s.log.setLevel(cmp.Or(set.log, s.opts.Log, "error"), func(level, text string) {
		kind := map[string]int{"error": 1, "info": 3, "debug": 4}[level]
		s.conn.notify("window/logMessage", map[string]any{"type": kind, "message": text})
	})
	for _, f := range faults {
		s.log.printf("error", "settings: %s", f)
	}
	if s.ready {
		s.register()
	}
	s.findings.look(s.view())
}

// askSettings asks the client for the section of the settings.
func (s *server) askSettings() {
	s.ask("workspace/configuration", map[string]any{"items": []any{map[string]any{"section": "tofuwire"}}}, func(raw json.RawMessage) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) > 0 && string(list[0]) != "null" {
			s.configure(list[0])
		}
	})
}

// watched are the globs of the files whose changes matter.
var watched = []string{
	"**/*.tf", "**/*.tofu", "**/*.tf.json", "**/*.tofu.json", "**/*.tfvars", "**/*.tfvars.json",
	"**/*.tftest.hcl", "**/*.tftest.json", "**/*.tofutest.hcl", "**/*.tofutest.json", "**/*.tfmock.hcl", "**/*.tfmock.json", "**/*.tfquery.hcl", "**/*.tfquery.json",
	"**/.terraform.lock.hcl", "**/.terraform/modules/modules.json",
	"**/.tflint.hcl", "**/.tflint.json", "**/.tofuwire-lint.hcl",
}

var notifications = map[string]func(s *server, raw json.RawMessage){
	"initialized":                         on((*server).initialized),
	"$/cancelRequest":                     on((*server).cancel),
	"textDocument/didOpen":                on((*server).didOpen),
	"textDocument/didChange":              on((*server).didChange),
	"textDocument/didClose":               on((*server).didClose),
	"textDocument/didSave":                on((*server).changedOutside),
	"workspace/didChangeWatchedFiles":     on((*server).changedOutside),
	"workspace/didChangeConfiguration":    on((*server).didChangeConfiguration),
	"workspace/didChangeWorkspaceFolders": on((*server).didChangeFolders),
}

// on makes a handler of a notification of a method with its type of parameters. One with others is
// dropped.
func on[P any](f func(s *server, p P)) func(s *server, raw json.RawMessage) {
	return func(s *server, raw json.RawMessage) {
		var p P
		if len(raw) == 0 || json.Unmarshal(raw, &p) == nil {
			f(s, p)
		}
	}
}

func (s *server) initialized(json.RawMessage) {
	s.ready = true
	s.register()
	if s.caps.has("workspace.configuration") {
		s.askSettings()
	}
}

func (s *server) cancel(p cancelParams) {
	s.mu.Lock()
	cancel := s.running[string(p.ID)]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// changedOutside looks at the files again: those that were saved, and others.
func (s *server) changedOutside(json.RawMessage) {
	s.disk.stale()
	s.findings.look(s.view())
}

// register asks the client to tell of changed files: those of modules, and those that the settings
// name.
func (s *server) register() {
	if !s.caps.has("workspace.didChangeWatchedFiles.dynamicRegistration") {
		return
	}
	globs := slices.Clone(watched)
	for _, name := range append([]string{s.settings.schemas, s.settings.lint.config}, s.settings.varFiles...) {
		if name != "" {
			globs = append(globs, "**/"+filepath.Base(name))
		}
	}
	if slices.Equal(globs, s.watched) {
		return
	}
	registration := map[string]any{"id": "tofuwire-files", "method": "workspace/didChangeWatchedFiles"}
	if s.watched != nil {
		s.ask("client/unregisterCapability", map[string]any{"unregisterations": []any{maps.Clone(registration)}}, nil)
	}
	s.watched = globs
	list := []any{}
	for _, g := range globs {
		list = append(list, map[string]any{"globPattern": g})
	}
	registration["registerOptions"] = map[string]any{"watchers": list}
	s.ask("client/registerCapability", map[string]any{"registrations": []any{registration}}, nil)
}

func (s *server) didOpen(p didOpenParams) {
	s.disk.stale() // a client that does not watch files has changed some, perhaps
	version := p.TextDocument.Version
	s.put(&document{uri: p.TextDocument.URI, lang: p.TextDocument.LanguageID, version: &version}, []byte(p.TextDocument.Text))
}

// put makes a document with a text the open one.
func (s *server) put(d *document, text []byte) {
	d.parsedFile = &parsedFile{text: text, stamp: newStamp()}
	key, isFile := keyOf(d.uri)
	if isFile {
		d.at, d.path = key, nameOf(key)
	} else if d.path = untitledNames[d.lang]; d.path == "" {
		return
	}
	if old := s.docs[key]; old != nil {
		d.before = lastGood(old.parsedFile)
	} else if old, err := s.disk.file(d.at); err == nil {
		d.before = lastGood(old)
	}
	s.docs = maps.Clone(s.docs)
	s.docs[key] = d
	s.findings.look(s.view())
}

// lastGood returns the last text of a file that had no syntax error, if it is known.
func lastGood(p *parsedFile) *parsedFile {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.byTool {
		if m.real != nil && m.real.Err() == nil {
			return &parsedFile{path: p.path, text: p.text, byTool: maps.Clone(p.byTool)}
		}
	}
	return p.before
}

// untitledNames are the names of documents that have none, by their language.
var untitledNames = map[string]string{
	"opentofu": "untitled.tofu", "tofu": "untitled.tofu", "terraform": "untitled.tf", "tf": "untitled.tf", "hcl": "untitled.tf",
	"opentofu-vars": "untitled.tfvars", "terraform-vars": "untitled.tfvars",
}

func (s *server) didChange(p didChangeParams) {
	key, _ := keyOf(p.TextDocument.URI)
	d := s.docs[key]
	if d == nil {
		return
	}
	text := d.text
	for _, c := range p.ContentChanges {
		text = applyChange(text, c, s.enc)
	}
	version := p.TextDocument.Version
	if version == nil {
		version = d.version
	}
	s.put(&document{uri: d.uri, lang: d.lang, version: version}, text)
}

// applyChange returns a text with a change made.
func applyChange(text []byte, c contentChange, enc encoding) []byte {
	if c.Range == nil {
		return []byte(c.Text)
	}
	x := indexLines(text)
	start, end := x.offset(c.Range.Start, enc), x.offset(c.Range.End, enc)
	if end < start {
		start, end = end, start
	}
	return slices.Concat(text[:start], []byte(c.Text), text[end:])
}

func (s *server) didClose(p documentParams) {
	s.docs = maps.Clone(s.docs)
	key, _ := keyOf(p.TextDocument.URI)
	delete(s.docs, key)
	s.changedOutside(nil)
}

func (s *server) didChangeConfiguration(raw json.RawMessage) {
	var p struct {
		Settings struct {
			Tofuwire json.RawMessage `json:"tofuwire"`
		} `json:"settings"`
	}
	if s.caps.has("workspace.configuration") {
		s.askSettings()
	} else if json.Unmarshal(raw, &p) == nil && len(p.Settings.Tofuwire) > 0 {
		s.configure(p.Settings.Tofuwire)
	}
}

func (s *server) didChangeFolders(p foldersParams) {
	var left []string
	for _, f := range p.Event.Removed {
		if gone, ok := keyOf(f.URI); ok {
			left = append(left, gone)
			s.folders = slices.DeleteFunc(slices.Clone(s.folders), func(at string) bool { return at == gone })
		}
	}
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	s.terms++
	s.docs = maps.Clone(s.docs)
	for at, d := range s.docs {
		if within(at, left) && !within(at, s.folders) {
			hushed := *d
			hushed.hushed = true
			s.docs[at] = &hushed
		}
	}
	s.findings.look(s.view())
}

// counts reports whether a document is about a module: configuration, values, tests, locks and
// the configuration of linters.
func counts(path string) bool {
	base := filepath.Base(path)
	if _, ok := hclconfig.ParseFilename(path); ok {
		return true
	}
	return base == lockFile || isLinterFile(base) || strings.HasSuffix(base, ".tfvars")
}

// isLinterFile reports whether a file has the settings of a linter.
func isLinterFile(base string) bool {
	return base == ".tflint.hcl" || base == ".tflint.json" || base == ".tofuwire-lint.hcl"
}

const lockFile = ".terraform.lock.hcl"
