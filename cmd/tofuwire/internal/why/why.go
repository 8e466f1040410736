// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package why is the program why: what an instance of a plan depends on, what depends on it, and
// why it is replaced.
package why

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

var text = commandline.Text{
	Arguments: "PLAN ADDRESS[.PATH]",
	Files:     planfile.Endings,
	About: `
Why lists the dependencies and dependents of an instance in a plan, or of one of its arguments,
and explains why the instance is replaced. PLAN is a file with the output of "show -json PLANFILE",
a saved plan, or - for standard input. ADDRESS names a resource instance, data source, or variable
or output of the root module. PATH selects a part of its value as in an expression, such as
disk[0].snapshot. Sensitive values are not shown.`,
	Exit: `
0 the answer was written
1 there is no answer
2 a usage error`,
	Example: "tofuwire why plan.json 'aws_instance.web[0].subnet_id'",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire why", text)
	q := question{flags: flags}
	flags.BoolVar(&q.json, "json", false, "print one JSON object instead of text")
	flags.Choice(&q.format, "format", "text", "print `FORMAT`: text, or the graph around ADDRESS for Graphviz (dot) or Mermaid", "text", "dot", "mermaid")
	flags.BoolVar(&q.all, "all", false, "also follow indirect references")
	flags.StringVar(&q.config, "config", "", "also follow local values and replace_triggered_by, which plans do not contain, in the configuration in `DIR`")
	q.inputs.Register(flags)
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if err := q.run(stdin, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "tofuwire why:", commandline.Message(err))
		return 1
	}
	return 0
}

// A question is what the command line asks for.
type question struct {
	flags     *commandline.Set
	json, all bool
	format    string
	config    string
	inputs    planfile.Inputs
}

func (q *question) run(stdin io.Reader, stdout, stderr io.Writer) error {
	flags := q.flags
	plan, err := read(&q.inputs, flags.Arg(0), stdin, stderr)
	if err != nil {
		return err
	}
	var o plangraph.InstancesOptions
	if q.config != "" {
		if o, err = options(q.config); err != nil {
			return err
		}
	}
	x := plangraph.NewInstances(plan, o)
	i, path := x.Split(flags.Arg(1))
	if i == nil {
		return missing(x, flags.Arg(1))
	}
	a, err := explain(x, i, path, q.all)
	if err != nil {
		return err
	}
	keep := plangraph.DrawingOptions{Keep: a.around(i)}
	switch q.format {
	case "dot":
		return x.WriteDOT(stdout, keep)
	case "mermaid":
		return x.WriteMermaid(stdout, keep)
	}
	if q.json {
		w := json.NewEncoder(stdout)
		w.SetEscapeHTML(false)
		return w.Encode(a)
	}
	return a.print(stdout, x)
}

// missing says that there is no such instance, and which there are of its block.
func missing(x *plangraph.Instances, address string) error {
	var others []string
	for i := range x.All() {
		if strings.HasPrefix(i.Address, address+"[") && len(others) < 10 {
			others = append(others, i.Address)
		}
	}
	if len(others) == 0 {
		return fmt.Errorf("the plan has no instance %s", address)
	}
	return fmt.Errorf("the plan has no instance %s; there are %s", address, strings.Join(others, ", "))
}

func read(inputs *planfile.Inputs, name string, stdin io.Reader, stderr io.Writer) (*planjson.Plan, error) {
	plan, err := inputs.Read("tofuwire why", name, stdin, stderr)
	if err != nil {
		return nil, err
	}
	// A plan that failed or is incomplete still has reasons for what it has.
	if err := planfile.Judge(plan, planfile.Reasons{planjson.ErrErrored, planjson.ErrIncomplete, planjson.ErrDeferred, planjson.ErrRedacted, planjson.ErrDuplicate, planjson.ErrUnknownAction, planjson.ErrMisspelt}); err != nil {
		return nil, err
	}
	return plan.Plan, nil
}

// options returns the references that a configuration and its called modules
// have and a plan lacks: those of local values and of replace_triggered_by.
func options(dir string) (o plangraph.InstancesOptions, err error) {
	if err = configdir.Check(dir, false); err != nil {
		return o, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return o, err
	}
	// Local modules can be next to the directory, so everything is read from
	// the root.
	volume := filepath.VolumeName(dir)
	rel := strings.Trim(filepath.ToSlash(strings.TrimPrefix(dir, volume)), "/")
	if rel == "" {
		rel = "."
	}
	tree, err := hclnames.LoadTree(os.DirFS(volume+string(filepath.Separator)), rel, configdir.Workspace(dir))
	if tree == nil {
		return o, err
	}
	o.Locals, o.Triggers = make(map[string]map[string][]string), make(map[string]map[string][]string)
	for t := range tree.All() {
		if err := readable(t); err != nil {
			return o, err
		}
		locals, triggers := make(map[string][]string), make(map[string][]string)
		for _, l := range t.Module.Locals {
			locals[l.Name] = references(l.Argument.References())
		}
		for _, r := range t.Module.Resources {
			if r.Lifecycle != nil && r.Lifecycle.ReplaceTriggeredBy.IsSet() {
				triggers[r.Addr().String()] = references(r.Lifecycle.ReplaceTriggeredBy.References())
			}
		}
		o.Locals[t.Path()], o.Triggers[t.Path()] = locals, triggers
	}
	return o, nil
}

// readable returns an error if a part of a module, or a local module that it calls, could not
// be read.
func readable(t *hclnames.Tree) error {
	for _, f := range t.Module.Files {
		if err := f.Err(); err != nil {
			return err
		}
	}
	for _, call := range t.Missing {
		if call.IsLocal() {
			return fmt.Errorf("%s: module %s cannot be read from %s", call.Block.DefRange(), call.Name, printable.Address(call.Source.Value))
		}
	}
	return nil
}

// references returns the texts of references.
func references(refs []hclconfig.Reference) []string {
	texts := []string{}
	for _, ref := range refs {
		if ref.Addr.IsValid() {
			texts = append(texts, ref.Addr.String())
		}
	}
	return texts
}

// An answer is what why -json prints.
type answer struct {
	Address   string          `json:"address"`
	Path      string          `json:"path"`
	Known     bool            `json:"known"`
	Sensitive bool            `json:"sensitive"`
	Value     json.RawMessage `json:"value,omitempty"`
	From      []link          `json:"from"`
	To        []link          `json:"to"`
	Replaced  []string        `json:"replaced"`
}

// A link is an instance, and the used or using part of it.
type link struct {
	Address string `json:"address"`
	Path    string `json:"path"`
	Certain bool   `json:"certain"`
}

// explain finds everything about a part of an instance.
func explain(x *plangraph.Instances, i *plangraph.Instance, path string, all bool) (*answer, error) {
	steps, err := planjson.ParsePath(path)
	if err != nil {
		return nil, err
	}
	a := &answer{Address: i.Address, Path: path, From: []link{}, To: []link{}, Replaced: []string{}}
	a.Sensitive = sensitive(i, steps)
	a.Known = !i.Change.IsUnknown(steps...)
	value := i.Value.Get(steps...)
	if a.Known && !a.Sensitive && value != nil {
		a.Value = json.RawMessage(value)
	}
	a.From = follow(i, path, all, false, func(i *plangraph.Instance, path string, yield func(*plangraph.Instance, string, bool)) {
		for l := range x.Needs(i, path) {
			yield(l.To, l.Path, l.Certain)
		}
	})
	a.To = follow(i, path, all, true, func(i *plangraph.Instance, path string, yield func(*plangraph.Instance, string, bool)) {
		for l := range x.NeededBy(i, path) {
			for at, only := range l.Places() {
				yield(l.From, at, l.Certain && only)
			}
		}
	})
	if i.Change != nil {
		for _, p := range i.Change.ReplacePaths {
			a.Replaced = append(a.Replaced, formatPath(p))
		}
		slices.Sort(a.Replaced)
	}
	return a, nil
}

// around says which instances the drawing of an answer has.
func (a *answer) around(of *plangraph.Instance) func(*plangraph.Instance) bool {
	shown := map[string]bool{of.Address: true}
	for _, l := range append(slices.Clone(a.From), a.To...) {
		shown[l.Address] = true
	}
	return func(i *plangraph.Instance) bool { return shown[i.Address] }
}

// follow lists the instances that a function gives for a part of one, and with
// all those that it gives for them, and so on.
// With whole, it goes on with all of an instance, and not with the part.
func follow(i *plangraph.Instance, path string, all, whole bool, next func(*plangraph.Instance, string, func(*plangraph.Instance, string, bool))) []link {
	type stop struct {
		i       *plangraph.Instance
		path    string
		certain bool
	}
	found := make(map[link]bool)
	seen := map[stop]bool{}
	for queue := []stop{{i, path, true}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if seen[at] {
			continue
		}
		seen[at] = true
		next(at.i, at.path, func(to *plangraph.Instance, path string, certain bool) {
			certain = certain && at.certain
			found[link{to.Address, public(to, path), certain}] = true
			if whole {
				path = ""
			}
			if all && to != i {
				queue = append(queue, stop{to, path, certain})
			}
		})
	}
	links := make([]link, 0, len(found))
	for l := range found {
		if l.Certain || !found[link{l.Address, l.Path, true}] {
			links = append(links, l)
		}
	}
	slices.SortFunc(links, func(a, b link) int {
		return strings.Compare(a.Address+"\x00"+a.Path, b.Address+"\x00"+b.Path)
	})
	return links
}

// print writes an answer for people.
func (a *answer) print(w io.Writer, x *plangraph.Instances) error {
	name := a.Address
	if a.Path != "" {
		name = join(a.Address, a.Path)
	}
	fmt.Fprintf(w, "%s%s\n", name, a.state())
	section := func(title string, links []link) {
		if len(links) == 0 {
			return
		}
		fmt.Fprintf(w, "\n%s:\n", title)
		for _, l := range links {
			i := x.Instance(l.Address)
			text := "  " + join(l.Address, l.Path)
			if i != nil && title == "comes from" {
				if steps, err := planjson.ParsePath(l.Path); err == nil {
					text += stateOf(i, steps)
				}
			}
			if !l.Certain {
				text += " (possibly)"
			}
			fmt.Fprintln(w, text)
		}
	}
	section("comes from", a.From)
	section("is used by", a.To)
	if len(a.Replaced) > 0 {
		fmt.Fprintf(w, "\nis replaced because of: %s\n", strings.Join(a.Replaced, ", "))
	} else if i := x.Instance(a.Address); i != nil && i.Resource != nil && i.Change.Actions.IsReplace() {
		fmt.Fprintf(w, "\nis replaced: %s\n", cmp.Or(string(i.Resource.ActionReason), "the plan does not say why"))
	}
	return nil
}

func (a *answer) state() string {
	switch {
	case a.Sensitive:
		return " is sensitive"
	case !a.Known:
		return " is known after apply"
	case a.Value == nil:
		return ""
	}
	return " = " + short(string(a.Value))
}

func stateOf(i *plangraph.Instance, steps []any) string {
	a := answer{Sensitive: sensitive(i, steps), Known: !i.Change.IsUnknown(steps...)}
	if len(steps) > 0 || i.Kind != plangraph.Resource {
		a.Value = json.RawMessage(i.Value.Get(steps...))
	}
	if len(steps) == 0 && i.Kind == plangraph.Resource {
		return ""
	}
	return a.state()
}

func short(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

func join(address, path string) string {
	if path == "" || path[0] == '[' {
		return address + path
	}
	return address + "." + path
}
