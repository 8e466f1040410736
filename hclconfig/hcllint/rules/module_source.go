// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/zclconf/go-cty/cty"
)

// knownText returns the value of an argument, and reports whether it is a known string. The
// value null has the text "".
func knownText(p *hcllint.Pass, t hclconfig.Text) (text string, known bool) {
	if !t.IsSet() || t.Value != "" {
		return t.Value, true
	}
	v := p.Evaluate(t.Argument.Expression).Value
	switch {
	case v.IsMarked() || !v.IsKnown():
		return "", false
	case v.IsNull():
		return "", true
	case v.Type() != cty.String:
		return "", false
	}
	return v.AsString(), true
}

// callOptions say which called modules a rule looks into. The settings of the block config
// with the same names are their defaults.
type callOptions struct {
	CallModuleType string          `hcl:"call_module_type,optional"`
	IgnoreModule   map[string]bool `hcl:"ignore_module,optional"`
}

// callDoc describes them.
const callDoc = `The rule also looks into local modules that the module calls. If a source there has a variable,
the findings are at the arguments of the module's own calls that the value comes from. Options
of the rule or of the block config: call_module_type is "local", "none" or "all", which includes
installed modules; ignore_module is a map with the sources of calls that are left out.`

const (
	callNone  = "none"
	callLocal = "local"
	callAll   = "all"
)

func (o callOptions) check() error {
	switch o.CallModuleType {
	case "", callNone, callLocal, callAll: // empty is local
		return nil
	}
	return fmt.Errorf("%q is not a valid call_module_type: it is all, local or none", o.CallModuleType)
}

// follows reports whether a rule looks into a called module.
func (o callOptions) follows(c *hclconfig.ModuleCall) bool {
	switch o.CallModuleType {
	case callAll:
		return true
	case callNone:
		return false
	}
	return c.IsLocal()
}

// maxVisits is how many instances of called modules a rule looks into.
const maxVisits = 10000

// A sourceWalk looks at the sources of the calls of a module and of the modules that it
// calls.
type sourceWalk struct {
	options callOptions
	// look is called with each call whose source is known.
	look func(call *hclconfig.ModuleCall, source string, report func(hcllint.Diagnostic))
	// inner has whether a source of a module, or of one that it calls, has a variable.
	inner  map[*hclconfig.Module]bool
	visits int
}

// moduleSources calls look with the calls of the module of a pass and their sources, if they
// are known. It also does for the calls of called modules: what it reports about them is at
// the arguments of the calls of the module itself that the source is made of.
func moduleSources(p *hcllint.Pass, o callOptions, look func(*hclconfig.ModuleCall, string, func(hcllint.Diagnostic))) error {
	if err := o.check(); err != nil {
		return err
	}
	w := &sourceWalk{options: o, look: look, inner: map[*hclconfig.Module]bool{}}
	for _, c := range p.Module.Calls {
		if source, known := knownText(p, c.Source); known && source != "" {
			look(c, source, p.Report)
		}
	}
	w.children(p, nil)
	return nil
}

// children looks into the modules that the module of a pass calls. The arguments that its
// variables come from are given, or nil in the root.
func (w *sourceWalk) children(p *hcllint.Pass, from map[string][]addrs.Range) {
	called := map[*hclconfig.Block]*hcllint.Pass{}
	for _, t := range p.Tree.Children {
		if in := p.In(t); w.options.follows(t.Call) && w.hasVariables(in) && (from != nil || !w.ignored(p, t.Call)) {
			called[t.Call.Block] = in
		}
	}
	if len(called) == 0 {
		return
	}
	for b := range p.Blocks("module") {
		in := called[b.Block]
		if in == nil {
			continue
		}
		inputs := inputsOf(b, in.Module, from)
		if len(inputs) == 0 {
			continue
		}
		instances, complete := b.Instances()
		if !complete { // as in tflint
			continue
		}
		for _, i := range instances {
			if w.visits++; w.visits > maxVisits {
				return
			}
			if i.Key != addrs.NoKey {
				w.module(p.In(in.Tree, i.Key), inputs)
			} else {
				w.module(in, inputs)
			}
		}
	}
}

// ignored reports whether the options leave out the module that a call leads to.
func (w *sourceWalk) ignored(p *hcllint.Pass, c *hclconfig.ModuleCall) bool {
	if len(w.options.IgnoreModule) == 0 {
		return false
	}
	source, known := knownText(p, c.Source)
	return known && w.options.IgnoreModule[source]
}

// module looks at the sources in one instance of a called module.
func (w *sourceWalk) module(p *hcllint.Pass, inputs map[string][]addrs.Range) {
	for _, c := range p.Module.Calls {
		if !c.Source.IsSet() {
			continue
		}
		x := c.Source.Argument.Expression
		at := arguments(x, inputs)
		if len(at) == 0 {
			continue
		}
		source, known := knownText(p, c.Source)
		if !known || source == "" {
			continue
		}
		w.look(c, source, func(d hcllint.Diagnostic) {
			d.Fixes = nil
			d.At = nil
			d.Related = []hcllint.Diagnostic{{At: x, Message: "The source of module " + c.Name}}
			for _, r := range at {
				d.Range = r
				p.Report(d)
			}
		})
	}
	w.children(p, inputs)
}

// inputsOf returns the arguments of the root that each variable of a called module comes
// from. In the root, from is nil.
func inputsOf(b hcllint.Block, m *hclconfig.Module, from map[string][]addrs.Range) map[string][]addrs.Range {
	out := map[string][]addrs.Range{}
	for _, v := range m.Variables {
		a := b.Argument(v.Name)
		switch {
		case a == nil:
		case from == nil:
			out[v.Name] = []addrs.Range{a.Expression.Range()}
		default:
			if list := arguments(a.Expression, from); len(list) > 0 {
				out[v.Name] = list
			}
		}
	}
	return out
}

// arguments returns the arguments that the variables in an expression come from, each once.
func arguments(x hclconfig.Expression, from map[string][]addrs.Range) []addrs.Range {
	var out []addrs.Range
	seen := map[addrs.Range]bool{}
	for _, r := range x.References() {
		for _, at := range from[variableIn(r)] {
			if !seen[at] {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	return out
}

// variableIn returns the name of the variable that a reference is to, or "".
func variableIn(r hclconfig.Reference) string {
	name, ok := strings.CutPrefix(r.Text, "var.")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	return name
}

// hasVariables reports whether a source in a module, or in one that it calls, has a variable.
func (w *sourceWalk) hasVariables(p *hcllint.Pass) bool {
	m := p.Module
	if has, ok := w.inner[m]; ok {
		return has
	}
	w.inner[m] = false
	for _, c := range m.Calls {
		if !c.Source.IsSet() {
			continue
		}
		for _, r := range c.Source.Argument.Expression.References() {
			if variableIn(r) != "" {
				w.inner[m] = true
				return true
			}
		}
	}
	for _, t := range p.Tree.Children {
		if w.options.follows(t.Call) && w.hasVariables(p.In(t)) {
			w.inner[m] = true
			return true
		}
	}
	return false
}

// A gitSource is a module source that leads to a Git or Mercurial repository.
type gitSource struct {
	scheme string   // git or hg
	url    *url.URL // of the repository; without a host if the source is not a valid URL
}

// repositoryOf returns the repository that a source leads to, and reports whether it is one
// of Git or Mercurial. The forms are those of go-getter, which both programs use; for
// bitbucket.org that asks the site, which has only Git.
func repositoryOf(source string) (gitSource, bool) {
	source, ok := detected(source)
	if !ok {
		return gitSource{}, false
	}
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "git" && u.Scheme != "hg" {
		return gitSource{}, false
	}
	scheme := u.Scheme
	if u.Opaque != "" { // git::https://...
		query := u.RawQuery
		if u, err = url.Parse(strings.TrimPrefix(u.Opaque, ":")); err != nil {
			return gitSource{}, false
		}
		u.RawQuery = query
	}
	return gitSource{scheme, u}, true
}

var forcedGetter = lazy.Regexp(`^([A-Za-z0-9]+)::(.+)$`)

// detected returns a source with its shorthands written in full.
func detected(source string) (string, bool) {
	force, rest := "", source
	if m := forcedGetter().FindStringSubmatch(source); m != nil {
		force, rest = m[1]+"::", m[2]
	}
	rest, subdir := splitSubdir(rest)
	if u, err := url.Parse(rest); err == nil && u.Scheme != "" {
		return source, true
	}
	result, ok := shorthand(rest)
	if !ok {
		return "", false
	}
	if m := forcedGetter().FindStringSubmatch(result); m != nil {
		result = m[2]
		if force == "" {
			force = m[1] + "::"
		}
	}
	result, more := splitSubdir(result)
	if more != "" {
		subdir = path.Join(more, subdir)
	}
	if subdir != "" {
		u, err := url.Parse(result)
		if err != nil {
			return "", false
		}
		u.Path += "//" + subdir
		u.RawPath = u.Path
		result = u.String()
	}
	return force + result, true
}

// shorthand returns the URL that a source without a scheme stands for.
func shorthand(source string) (string, bool) {
	parts := strings.Split(source, "/")
	switch {
	case source == "":
		return "", false
	case parts[0] == "github.com", parts[0] == "bitbucket.org":
		if len(parts) < 3 {
			return "", false
		}
		u, err := url.Parse("https://" + strings.Join(parts[:3], "/"))
		if err != nil {
			return "", false
		}
		if !strings.HasSuffix(u.Path, ".git") {
			u.Path += ".git"
		}
		if len(parts) > 3 {
			u.Path += "/" + strings.Join(parts[3:], "/")
		}
		return "git::" + u.String(), true
	}
	if s, ok := scpURL(source); ok {
		return s, true
	}
	// A path, or the address of a bucket: neither is a repository.
	return "file:///" + strings.TrimPrefix(source, "/"), true
}

var scpForm = lazy.Regexp(`^(?:([^@]+)@)?([^:]+):/?(.+)$`)

// scpURL returns the URL of a repository in the form of scp: git@host:path.
func scpURL(source string) (string, bool) {
	m := scpForm().FindStringSubmatch(source)
	if m == nil || m[1] != "git" {
		return "", false
	}
	at, query, _ := strings.Cut(m[3], "?")
	u := url.URL{Scheme: "ssh", User: url.User(m[1]), Host: m[2], Path: at}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false
	}
	u.RawQuery = values.Encode()
	return "git::" + u.String(), true
}

// splitSubdir takes the directory after "//" out of a source, from before the query.
func splitSubdir(source string) (rest, subdir string) {
	before, query, hasQuery := strings.Cut(source, "?")
	offset := 0
	if i := strings.Index(before, "://"); i >= 0 {
		offset = i + 3
	}
	i := strings.Index(before[offset:], "//")
	if i < 0 {
		return source, ""
	}
	rest, subdir = before[:offset+i], before[offset+i+2:]
	if hasQuery {
		rest += "?" + query
	}
	return rest, subdir
}
