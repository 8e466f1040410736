// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package instances is the program that prints which resource instances a configuration declares.
package instances

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/zclconf/go-cty/cty"
)

var text = commandline.Text{
	Arguments: "[DIR]",
	About: `
Instances prints the addresses of the managed resources and data sources that the configuration in
DIR (default: the working directory) declares, including those of its local and installed modules:
one line for each instance of count and for_each. It runs neither the tool nor providers. If the
instances are known only after a plan, the line is ADDRESS[?]: WHY.

Values of variables come from terraform.tfvars, *.auto.tfvars, their JSON forms, and then the FILEs of
-var-file in their order.`,
	Exit: `
0 all instances are known
1 some are not
2 DIR cannot be read, or a usage error`,
	Example: "tofuwire instances -json -var-file prod.tfvars infra",
}

// options are the options of the command line.
type options struct {
	json, reveal bool
	dialect      hclconfig.Dialect
	files        []string
	dir          string
}

// Run runs the program and returns its exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o options
	var tool string
	flags := commandline.New("tofuwire instances", text)
	flags.BoolVar(&o.json, "json", false, "print one JSON object with complete, instances (with the values of their arguments, dynamic blocks expanded) and unresolved")
	flags.BoolVar(&o.reveal, "reveal", false, "print values that are marked as sensitive")
	flags.Choice(&tool, "tool", "tofu", "the `TOOL`, tofu or terraform", "tofu", "terraform")
	flags.Strings(&o.files, "var-file", "a `FILE` with values of variables")
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	o.dialect, o.dir = hclconfig.OpenTofu, cmp.Or(flags.Arg(0), ".")
	if tool == "terraform" {
		o.dialect = hclconfig.Terraform
	}
	found, err := o.expand()
	if err != nil {
		fmt.Fprintf(stderr, "tofuwire instances: %s\n", commandline.Message(err))
		return 2
	}
	out := bufio.NewWriter(stdout)
	complete, err := o.print(out, found)
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintf(stderr, "tofuwire instances: %s\n", commandline.Message(err))
		return 2
	}
	if !complete {
		return 1
	}
	return 0
}

// expand finds the instances: those that are known as the tools sort them, then the others.
func (o options) expand() ([]*hclnames.Instance, error) {
	if err := configdir.Check(o.dir, o.dialect == hclconfig.Terraform); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	root := filepath.VolumeName(abs) + string(filepath.Separator)
	inside, err := filepath.Rel(root, abs)
	if err != nil {
		return nil, err
	}
	fsys, dir := os.DirFS(root), filepath.ToSlash(inside)
	tree, err := hclnames.LoadTree(fsys, dir, o.dialect, configdir.Workspace(abs))
	if err != nil {
		return nil, err
	}
	for t := range tree.All() {
		for d := range t.Module.Diagnostics().Errors() {
			return nil, fmt.Errorf("%s:%d: %s", relative(dir, d.Subject.Filename), d.Subject.Start.Line, strings.TrimSuffix(d.Summary+"; "+d.Detail, "; "))
		}
	}
	given := map[string]cty.Value{}
	for _, name := range o.files {
		src, err := os.ReadFile(name)
		if err == nil {
			var values map[string]cty.Value
			values, err = hclnames.ParseValues(name, src)
			maps.Copy(given, values)
		}
		if err != nil {
			return nil, err
		}
	}
	variables, faults := tree.Variables(given)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	home, _ := os.UserHomeDir()
	e := hclnames.NewEvaluator(variables)
	e.Functions = hclfuncs.Functions(o.dialect, hclfuncs.Options{FS: fsys, Dir: dir, Home: filepath.ToSlash(home)})
	found := slices.Collect(e.Expand(tree))
	slices.SortStableFunc(found, compare)
	return found, nil
}

// compare sorts instances like the tools' "state list".
func compare(a, b *hclnames.Instance) int {
	if a.Why != "" || b.Why != "" {
		switch {
		case a.Why == "":
			return -1
		case b.Why == "":
			return 1
		}
		return 0
	}
	return cmp.Or(address(a).Compare(address(b)), a.Key.Compare(b.Key))
}

// address returns the address of the resource of an instance, or none if its names are odd.
func address(i *hclnames.Instance) addrs.AbsResource {
	r, err := addrs.NewResource(i.Resource.Mode, i.Resource.Type, i.Resource.Name)
	if err != nil {
		return addrs.AbsResource{}
	}
	return r.In(i.Module)
}

// relative returns the name of a file from the directory of the root.
func relative(dir, name string) string {
	if rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(name)); err == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

// A document is what -json prints.
type document struct {
	Complete   bool         `json:"complete"`
	Instances  []instance   `json:"instances"`
	Unresolved []unresolved `json:"unresolved"`
}

type unresolved struct {
	Address string `json:"address"`
	Why     string `json:"why"`
}

type instance struct {
	Address   string     `json:"address"`
	Module    string     `json:"module_address,omitempty"`
	Mode      addrs.Mode `json:"mode"`
	Type      string     `json:"type"`
	Name      string     `json:"name"`
	Index     any        `json:"index,omitempty"`
	File      string     `json:"file"`
	Line      int        `json:"line"`
	Values    any        `json:"values"`
	Unknown   any        `json:"unknown"`
	Sensitive any        `json:"sensitive"`
	Why       []part     `json:"why"`
}

type part struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// print prints the instances, and reports whether all are known.
func (o options) print(w io.Writer, found []*hclnames.Instance) (complete bool, err error) {
	doc := document{Complete: true, Instances: []instance{}, Unresolved: []unresolved{}}
	for _, i := range found {
		if i.Why != "" {
			doc.Complete = false
			doc.Unresolved = append(doc.Unresolved, unresolved{i.Address(), i.Why})
			if !o.json {
				fmt.Fprintf(w, "%s: %s\n", i.Address(), strings.Join(strings.Fields(i.Why), " "))
			}
			continue
		}
		if !o.json {
			fmt.Fprintln(w, i.Address())
			continue
		}
		one, err := o.instance(i)
		if err != nil {
			return false, err
		}
		doc.Instances = append(doc.Instances, one)
	}
	if !o.json {
		return doc.Complete, nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return doc.Complete, e.Encode(doc)
}

// instance returns what -json prints of an instance.
func (o options) instance(i *hclnames.Instance) (instance, error) {
	at := i.Block().DefRange()
	dir := i.Tree
	for dir.Parent != nil {
		dir = dir.Parent
	}
	out := instance{
		Address: i.Address(), Module: i.Module.String(), Mode: i.Resource.Mode, Type: i.Resource.Type, Name: i.Resource.Name,
		File: relative(dir.Module.Dir, at.Filename), Line: at.Start.Line, Why: []part{},
	}
	if n, ok := i.Key.Int(); ok {
		out.Index = n
	} else if text, ok := i.Key.Str(); ok {
		out.Index = text
	}
	v, parts := i.Value()
	for _, p := range parts {
		out.Why = append(out.Why, part{p.Path, p.Why})
	}
	out.Unknown, out.Sensitive = emptyIfNone(isUnknown.shape(v)), emptyIfNone(isMarked.shape(v))
	var err error
	out.Values, err = shown(v, o.reveal)
	return out, err
}

// emptyIfNone returns an empty object for an object of which nothing is so.
func emptyIfNone(shape any) any {
	if shape == false {
		return map[string]any{}
	}
	return shape
}
