// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// ReservedVariables are the names that a module block has a meaning for.
var ReservedVariables = []string{"source", "version", "count", "for_each", "depends_on", "providers", "_", "lifecycle", "locals", "provider"}

// ValidationOfOthers says which releases allow that a validation block refers to more
// than its variable.
var ValidationOfOthers = hcllang.Support{OpenTofu: "1.9", Terraform: "1.9"}

// Evaluated reports whether an argument of the kind is evaluated like any
// expression.
func Evaluated(k hcllang.Kind) bool { return k == hcllang.KindExpression || k == hcllang.KindStatic }

// AllResources returns the resources, data sources and ephemeral resources of a module.
func AllResources(m *hclconfig.Module) []*hclconfig.Resource {
	return slices.Concat(m.Resources, m.Data, m.Ephemeral)
}

// Requirements returns the entries of required_providers in some settings.
func Requirements(settings []*hclconfig.Settings) (out []*hclconfig.ProviderRequirement) {
	for _, s := range settings {
		out = append(out, s.RequiredProviders...)
	}
	return out
}

// Dotted returns a path with the dot that is before what follows it.
func Dotted(path string) string {
	if path == "" {
		return ""
	}
	return path + "."
}

// Program returns which program d is of.
func Program(d hclconfig.Dialect) hcllang.Dialect { return hcllang.ProgramOf(int(d)) }

// Release returns which release d is of.
func Release(d hclconfig.Dialect) hcllang.Release { return hcllang.ReleaseOf(int(d)) }

// ErrorAt returns an error about the place at.
func ErrorAt(at addrs.Range, summary, format string, args ...any) hclconfig.Diagnostic {
	return hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: at}
}

// WarningAt is ErrorAt for a warning.
func WarningAt(at addrs.Range, summary, format string, args ...any) hclconfig.Diagnostic {
	d := ErrorAt(at, summary, format, args...)
	d.Severity = hclconfig.SeverityWarning
	return d
}

// Sorted orders the diagnostics by file and place.
func Sorted(d hclconfig.Diagnostics) hclconfig.Diagnostics {
	slices.SortStableFunc(d, func(a, b hclconfig.Diagnostic) int {
		if a.Subject.Filename != b.Subject.Filename {
			return strings.Compare(a.Subject.Filename, b.Subject.Filename)
		}
		return int(a.Subject.Start.Offset - b.Subject.Start.Offset)
	})
	return d
}

// RelativeDir returns the path that leads from one directory to another, or "" if there
// is none.
func RelativeDir(from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(to))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// Label returns a label of b, or "" if it lacks that.
func Label(b *hclconfig.Block, i int) string {
	if b == nil || i >= len(b.Labels) {
		return ""
	}
	return b.Labels[i]
}

// Expr returns the value of an argument of b, or the zero Expression.
func Expr(b *hclconfig.Block, name string) hclconfig.Expression {
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return hclconfig.Expression{}
}

// TextArg returns an argument of b whose value is a constant text.
func TextArg(b *hclconfig.Block, name string) hclconfig.Text {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Text{}
	}
	s, _ := a.Text() // anything but constant text is reported
	return hclconfig.Text{Value: s, Argument: a}
}

// FlagArg returns an argument of b whose value is a constant boolean.
func FlagArg(b *hclconfig.Block, name string) hclconfig.Flag {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Flag{}
	}
	v, _ := a.Bool()
	return hclconfig.Flag{Value: v, Argument: a}
}

// IsTofu reports whether only OpenTofu reads f.
func IsTofu(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Tofu
}

func IsTest(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Kind == hclconfig.TestFile
}

// Address returns the address of a resource whose names may be broken.
func Address(r *hclconfig.Resource) string {
	switch r.Block.Type {
	case "data", "ephemeral":
		return r.Block.Type + "." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}

// Missing returns a diagnostic for a required argument that is not there.
func Missing(b *hclconfig.Body, name string) hclconfig.Diagnostic {
	at := b.Range()
	if f := b.File(); f.Syntax() == hclconfig.JSONSyntax && at.End.Offset > at.Start.Offset {
		at.Start = f.Position(at.End.Offset - 1)
	} else {
		at.End = at.Start
	}
	return ErrorAt(at, "Missing required argument", "The argument %q is required, but no definition was found.", name)
}

// IsDynamic reports whether b, in a body that belongs to a provider's schema, makes
// blocks.
func IsDynamic(b *hclconfig.Block) bool { return b.Type == hcllang.Dynamic.Name }

// DefRange returns where the programs say that a block is: its header, and in JSON
// the brace or bracket after its last name.
func DefRange(b *hclconfig.Block) addrs.Range {
	at, f := b.DefRange(), b.File()
	if f.Syntax() != hclconfig.JSONSyntax || !at.IsValid() {
		return at
	}
	src := f.Bytes()
	if i := jsonscan.Space(src, int(at.End.Offset)); i < len(src) && src[i] == ':' {
		i = jsonscan.Space(src, i+1)
		at.Start, at.End = f.Position(int64(i)), f.Position(int64(i)+1)
	}
	return at
}

func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

type Plain = hclconfig.Block

// A Block is a block with its description in the language.
type Block struct {
	*Plain
	Spec *hcllang.Block
}

// A Body is the content of a block, or of a file, with its description in the
// language.
type Body struct {
	*hclconfig.Body
	Spec *hcllang.Block
}

func RootOf(f *hclconfig.File) Body { return Body{f.Body(), hcllang.FileKind(f.Kind()).Root()} }

func (b Body) Block(i int) Block {
	n := &b.Blocks[i]
	return Block{n, b.Spec.Inner(n.Type)}
}

func (b Block) Inner() Body { return Body{&b.Body, b.Spec} }

// Mislabelled reports whether a block has more or fewer labels than it should. The
// programs look at nothing in it.
func (b Block) Mislabelled() bool {
	return b.Spec != nil && b.Spec != hcllang.Open && (b.Type != "dynamic" || b.Spec == hcllang.Dynamic) && len(b.Spec.Labels) != len(b.Labels)
}

// NotOverriding reports whether the programs do not look into a block in an override
// file, where it must not be.
func (b Block) NotOverriding() bool {
	switch b.Type {
	case "validation", "precondition", "postcondition":
		return b.Spec != nil && b.Spec != hcllang.Open && b.Spec != hcllang.Ignored
	}
	return b.Spec == hcllang.CheckBlock || b.Spec == hcllang.LanguageBlock
}

// Contains reports whether a place is in another.
func Contains(outer, inner addrs.Range) bool {
	return outer.Filename == inner.Filename && outer.Start.Offset <= inner.Start.Offset && inner.End.Offset <= outer.End.Offset
}

// TerraformMinor returns the minor release of a dialect of Terraform, or -1 for OpenTofu.
func TerraformMinor(d hclconfig.Dialect) int {
	if Program(d) != hcllang.Terraform {
		return -1
	}
	r := Release(d)
	if r == 0 {
		r = hcllang.NewestTerraform
	}
	return int(r % 1000)
}
