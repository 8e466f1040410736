// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A File is one configuration file: its text and its structure.
//
// A File does not change; package hcledit makes a new File from it. It owns the
// text it was parsed from, which must not be changed; [File.Clone] detaches. It
// may be read from several goroutines at the same time.
type File struct {
	name     string
	syntax   Syntax
	kind     FileKind
	tofu     bool
	override bool
	dialect  hcllang.Dialect
	release  hcllang.Release

	src  []byte
	text string // the same bytes; JSON only, to save memory for names
	body Body
	err  *Error // the first syntax error

	diags Diagnostics

	endsOnce sync.Once
	ends     *jsontree.Index // see json

	linesOnce sync.Once
	marks     []mark

	// late is set if the text is parsed only when its content is first needed.
	late     bool
	lateOnce sync.Once
}

// json knows the values of a JSON file, which was read.
func (f *File) json() *jsontree.Index {
	f.endsOnce.Do(func() { f.ends = jsontree.NewIndex(f.src) })
	return f.ends
}

// read makes sure that the text was read, and returns f.
func (f *File) read() *File {
	if f.late {
		f.lateOnce.Do(func() {
			f.readNative()
			f.diags = f.diags.sorted()
		})
	}
	return f
}

// Filename returns the file's name, as it was given to [Parse].
func (f *File) Filename() string {
	if f == nil {
		return ""
	}
	return f.name
}

// Syntax returns the syntax that the file is in.
func (f *File) Syntax() Syntax {
	if f == nil {
		return 0
	}
	return f.syntax
}

// Kind returns the kind of the file.
func (f *File) Kind() FileKind {
	if f == nil {
		return 0
	}
	return f.kind
}

// Dialect returns the dialect that the file was read as.
func (f *File) Dialect() Dialect {
	if f == nil {
		return 0
	}
	return Dialect(f.dialect) | Dialect(f.release)<<1
}

// IsOverride reports whether the file's name makes it one that overrides
// others: "override" or "..._override" before the extension.
func (f *File) IsOverride() bool {
	if f == nil {
		return false
	}
	return f.override
}

// Bytes returns the text of the file, byte for byte as it was parsed. The
// caller must not change it.
func (f *File) Bytes() []byte {
	if f == nil {
		return nil
	}
	return f.src
}

// Err returns the first syntax error, which [Parse] returned as well, or nil.
func (f *File) Err() error {
	if f == nil {
		return nil
	}
	if f.err == nil {
		return nil
	}
	return f.err
}

// Diagnostics returns the faults of the file by itself: syntax errors, and
// arguments and blocks in the wrong place, in the order of the text. Package
// hclcheck finds more, and so does [Module.Diagnostics].
func (f *File) Diagnostics() Diagnostics {
	if f == nil {
		return nil
	}
	return slices.Clone(f.read().diags)
}

// Body returns the content of the file.
func (f *File) Body() *Body {
	if f == nil {
		return nil
	}
	return &f.read().body
}

// Clone returns a File that shares no memory with the text that f was parsed
// from.
func (f *File) Clone() *File {
	if f == nil {
		return nil
	}
	if f.syntax == NativeSyntax && f.err == nil {
		return f.lateFile(slices.Clone(f.src))
	}
	c, _ := parse(f.name, slices.Clone(f.src), f.syntax, f.Dialect())
	return c
}

// A Body is the content of a file or of a block: arguments and nested blocks.
//
// In JSON syntax a property can be an argument or represent blocks, and the
// text does not decide which. This package knows the properties that the
// language itself defines. Inside provider, resource and similar blocks only
// the provider's schema decides: there, such a property is in Arguments, with
// Undecided set, and [Argument.AsBlocks] or [Body.Content] read it as blocks.
type Body struct {
	// Arguments has the arguments in the order of the text. If a name
	// occurs twice, which is an error, both are there; in native syntax
	// only the first is.
	Arguments []Argument
	// Blocks has the nested blocks in the order of the text.
	Blocks []Block

	file *File
	spec *hcllang.Block
	at   textspan.Span // with the braces; the whole file for the root

	// from, if not nil, has the bodies that this one was merged of.
	from []*Body
}

// An Argument is one setting: name = expression.
type Argument struct {
	// Name is the name, or in JSON syntax the property name, decoded.
	Name string
	// Undecided reports that only a provider's schema decides whether this
	// property of a JSON file is an argument or represents blocks.
	Undecided bool
	// Expression is the value. It is always set.
	Expression

	nameAt textspan.Span
}

// NameRange returns the place of the argument's name. In JSON syntax it
// includes the quotes.
func (a *Argument) NameRange() addrs.Range {
	if a == nil {
		return addrs.Range{}
	}
	return a.file.rangeOf(a.nameAt)
}

// Range returns the place of the whole argument, from its name to the end of
// its expression.
func (a *Argument) Range() addrs.Range {
	if a == nil {
		return addrs.Range{}
	}
	return a.file.rangeOf(textspan.Of(a.nameAt.Start, a.at.End))
}

// Place returns the file of the argument and its range there in bytes. It is faster
// than Range, which has to count lines and columns.
func (a *Argument) Place() (f *File, start, end int) {
	if a == nil {
		return nil, 0, 0
	}
	return a.file, int(a.nameAt.Start), int(a.at.End)
}

// A Block is a block with its labels and content.
type Block struct {
	// Type is the type, such as "resource" or the name of a nested block.
	Type string
	// Labels has the labels in order, decoded. A broken block may have fewer
	// than its type requires.
	Labels []string
	// Body is the content: arguments and nested blocks.
	Body Body

	file    *File
	spec    *hcllang.Block
	typeAt  textspan.Span
	labelAt []textspan.Span
	// entry is the range to remove with the block. Native: all of it. JSON: the
	// property or the array element of this block alone.
	entry textspan.Span
}

// File returns the file that the block is in.
func (b *Block) File() *File {
	if b == nil {
		return nil
	}
	return b.file
}

// Range returns the place of the whole block. In JSON syntax it is that of the
// innermost property or array element that represents this block alone.
func (b *Block) Range() addrs.Range {
	if b == nil {
		return addrs.Range{}
	}
	return b.file.rangeOf(b.entry)
}

// Place returns the file of the block and its range there in bytes. It is faster than
// Range, which has to count lines and columns.
func (b *Block) Place() (f *File, start, end int) {
	if b == nil {
		return nil, 0, 0
	}
	return b.file, int(b.entry.Start), int(b.entry.End)
}

// TypeRange returns the place of the block's type. In JSON syntax, blocks of
// one type may share it.
func (b *Block) TypeRange() addrs.Range {
	if b == nil {
		return addrs.Range{}
	}
	return b.file.rangeOf(b.typeAt)
}

// LabelRange returns the place of label i, with its quotes if it has any. i is
// from 0 and must be less than the number of Labels.
func (b *Block) LabelRange(i int) addrs.Range {
	if b == nil || i < 0 || i >= len(b.labelAt) {
		return addrs.Range{}
	}
	return b.file.rangeOf(b.labelAt[i])
}

// DefRange returns the place to point at for the block as a whole. Native: its
// type and labels. JSON: its last label, or its type if it has none.
func (b *Block) DefRange() addrs.Range {
	if b == nil || b.file == nil {
		return addrs.Range{}
	}
	return b.file.rangeOf(b.defAt())
}

// loadedAt is where the programs say that a block is when they load a module: its
// header, and in JSON the brace or bracket after its last name.
func (b *Block) loadedAt() textspan.Span {
	at := b.defAt()
	if b.file.syntax != JSONSyntax || at.End == 0 {
		return at
	}
	if i := jsonscan.Space(b.file.src, int(at.End)); i < len(b.file.src) && b.file.src[i] == ':' {
		i = jsonscan.Space(b.file.src, i+1)
		return textspan.Of(int32(i), int32(i)+1)
	}
	return at
}

func (b *Block) defAt() textspan.Span {
	if b.file.syntax == NativeSyntax {
		if n := len(b.labelAt); n > 0 {
			return textspan.Of(b.typeAt.Start, b.labelAt[n-1].End)
		}
		return b.typeAt
	}
	if n := len(b.labelAt); n > 0 {
		return b.labelAt[n-1]
	}
	return b.typeAt
}

// Argument returns the argument of that name, or nil if there is none.
func (b *Block) Argument(name string) *Argument {
	if b == nil {
		return nil
	}
	return b.Body.Argument(name)
}

// Block returns the first nested block of that type, or nil if there is none: see
// [Body.Block].
func (b *Block) Block(typ string, labels ...string) *Block {
	if b == nil {
		return nil
	}
	return b.Body.Block(typ, labels...)
}

// File returns the file that the body is in. For a body that was merged from
// several files, it is the first.
func (b *Body) File() *File {
	if b == nil {
		return nil
	}
	return b.file
}

// Range returns the place of the body, from the opening brace to the closing
// one. For a JSON body that is written as an array of objects, it includes the
// brackets.
func (b *Body) Range() addrs.Range {
	if b == nil {
		return addrs.Range{}
	}
	return b.file.rangeOf(b.at)
}

// Place returns the file that the body is in, and where its Range is in it.
func (b *Body) Place() (f *File, start, end int) {
	if b == nil {
		return nil, 0, 0
	}
	return b.file, int(b.at.Start), int(b.at.End)
}

// Argument returns the argument of that name, or nil if there is none.
func (b *Body) Argument(name string) *Argument {
	if b == nil {
		return nil
	}
	for i := range b.Arguments {
		if b.Arguments[i].Name == name {
			return &b.Arguments[i]
		}
	}
	return nil
}

// Block returns the first block of that type whose labels begin with the given
// ones, or nil if there is none: Block("resource", "aws_vpc", "main").
func (b *Body) Block(typ string, labels ...string) *Block {
	if b == nil {
		return nil
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if n.Type == typ && len(n.Labels) >= len(labels) && slices.Equal(n.Labels[:len(labels)], labels) {
			return n
		}
	}
	return nil
}

// BlocksOfType returns an iterator over the blocks of that type, in order.
// Undecided properties of a JSON body are not among them: see
// [Argument.AsBlocks].
func (b *Body) BlocksOfType(typ string) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if b == nil {
			return
		}
		for i := range b.Blocks {
			if b.Blocks[i].Type == typ && !yield(&b.Blocks[i]) {
				return
			}
		}
	}
}

// All returns an iterator over the blocks of the body and the blocks nested in
// them, each after the block that contains it.
func (b *Body) All() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if b != nil {
			b.all(yield)
		}
	}
}

func (b *Body) all(yield func(*Block) bool) bool {
	for i := range b.Blocks {
		if !yield(&b.Blocks[i]) || !b.Blocks[i].Body.all(yield) {
			return false
		}
	}
	return true
}

// AllArguments returns an iterator over the arguments of the body and of all
// blocks nested in it.
func (b *Body) AllArguments() iter.Seq[*Argument] {
	return func(yield func(*Argument) bool) {
		if b != nil {
			b.allArguments(yield)
		}
	}
}

func (b *Body) allArguments(yield func(*Argument) bool) bool {
	for i := range b.Arguments {
		if !yield(&b.Arguments[i]) {
			return false
		}
	}
	for i := range b.Blocks {
		if !b.Blocks[i].Body.allArguments(yield) {
			return false
		}
	}
	return true
}

// Parse parses the text of a configuration file. The extension of the file's
// name decides the syntax and the kind of the file: see [ParseFilename]. If the
// name has no known form, the error is an [*Error] that wraps [ErrFilename],
// and the File is nil. The name is only used in places; no file is opened.
//
// Otherwise the File is never nil. If the text is not of that syntax, the error is an [*Error]
// with the place of the first fault, [File.Diagnostics] has all faults, and the File has the
// parts that could be read. If the syntax is right but OpenTofu would refuse the file, for
// example because of an unknown argument, Parse returns no error: the fault is among the
// diagnostics.
//
// The File refers to src, which must not be changed afterwards.
func Parse(filename string, src []byte, opts ...Option) (*File, error) {
	name, ok := ParseFilename(filename)
	if !ok {
		return nil, &Error{Filename: filename, Err: ErrFilename}
	}
	return parse(filename, src, name.Syntax, collect(opts).dialect)
}

// ParseNative is like [Parse] for text in native syntax, whatever the file is
// called. If the name has no known form, it is read as a file of a module. Any
// file in HCL can be read in this way; [File.Diagnostics] then reports what a
// module's file must not have.
func ParseNative(filename string, src []byte, opts ...Option) (*File, error) {
	return parse(filename, src, NativeSyntax, collect(opts).dialect)
}

// ParseJSON is like [Parse] for text in JSON syntax, whatever the file is
// called. If the name has no known form, it is read as a file of a module, in
// which a property such as "data" represents blocks.
func ParseJSON(filename string, src []byte, opts ...Option) (*File, error) {
	return parse(filename, src, JSONSyntax, collect(opts).dialect)
}

func parse(filename string, src []byte, syntax Syntax, dialect Dialect) (*File, error) {
	name, _ := ParseFilename(filename)
	f := &File{
		name: filename, syntax: syntax, kind: name.Kind, tofu: name.Tofu, override: name.Override,
		dialect: dialect.tool(), release: dialect.release(), src: src,
	}
	f.body.file = f
	f.body.spec = hcllang.FileKind(name.Kind).Root()
	if int64(len(src)) > math.MaxInt32 {
		f.src = nil
		f.err = &Error{Filename: filename, Err: &textspan.Error{Cause: ErrLimit, Text: "a file of 2 GiB or more"}}
		f.diags = Diagnostics{{Severity: SeverityError, Summary: "File too large", Subject: addrs.Range{Filename: filename}, Err: ErrLimit}}
		return f, f.err
	}
	f.body.at = textspan.Of(0, int32(len(src)))
	if syntax == JSONSyntax {
		f.readJSON()
	} else {
		f.readNative()
	}
	f.diags = f.diags.sorted()
	return f, f.Err()
}

// A Syntax is one of the two ways to write configuration.
// Its values are [NativeSyntax] and [JSONSyntax].
type Syntax uint8

const (
	// NativeSyntax is the syntax for people: variable "x" { ... }.
	NativeSyntax Syntax = iota
	// JSONSyntax is the syntax for programs: {"variable": {"x": { ... }}}.
	JSONSyntax
)

// String returns "native" or "JSON".
func (s Syntax) String() string {
	switch s {
	case NativeSyntax:
		return "native"
	case JSONSyntax:
		return "JSON"
	}
	return fmt.Sprintf("Syntax(%d)", uint8(s))
}

// A FileKind is the purpose of a file. It decides which blocks the file may have.
// Its values include [ConfigFile], [TestFile] and [MockFile].
type FileKind uint8

const (
	// ConfigFile is a part of a module: .tf, .tofu, .tf.json, .tofu.json.
	ConfigFile = FileKind(hcllang.ConfigFile)
	// TestFile holds tests of a module: .tftest.hcl, .tofutest.hcl and the
	// same in JSON.
	TestFile = FileKind(hcllang.TestFile)
	// MockFile holds mock data for tests: Terraform's .tfmock.hcl and .tfmock.json.
	MockFile = FileKind(hcllang.MockFile)
	// QueryFile holds Terraform's queries: .tfquery.hcl and .tfquery.json.
	QueryFile = FileKind(hcllang.QueryFile)
	// MigrationFile describes, for Terraform, how to move a state to another
	// backend: .tfmigrate.hcl. Its content is not examined.
	MigrationFile = FileKind(hcllang.MigrationFile)
	// ValuesFile holds values of input variables: .tfvars and .tfvars.json. Its
	// arguments are in [File.Body].
	ValuesFile = FileKind(hcllang.ValuesFile)
)

// String returns "configuration", "test", "mock", "query", "migration" or "values".
func (k FileKind) String() string {
	return hcllang.FileKind(k).String()
}

// support says which releases read files of kind k; tofu is set for the extensions
// that only OpenTofu reads.
func (k FileKind) support(tofu bool) hcllang.Support { return hcllang.FileKind(k).Support(tofu) }

// A Filename is the name of a configuration file in parts.
type Filename struct {
	Kind   FileKind // the purpose of the file
	Syntax Syntax   // native, or JSON if the name ends in .json
	// Tofu reports whether the extension is one that only OpenTofu reads,
	// such as .tofu; such a file is read instead of the one that has the
	// same name with .tf.
	Tofu bool
	// Override reports whether the file overrides others: its name without
	// the extension is "override" or ends in "_override".
	Override bool
	// Stem is the name without directory and extension.
	Stem string
}

// An extension is one that makes a file part of a module, or a file of values.
type extension struct {
	suffix string
	name   Filename
}

// The order is that of opentofu: internal/configs/parser_config_dir.go; the
// first match decides.
var extensions = [...]extension{
	{".tf", Filename{}},
	{".tf.json", Filename{Syntax: JSONSyntax}},
	{".tftest.hcl", Filename{Kind: TestFile}},
	{".tftest.json", Filename{Kind: TestFile, Syntax: JSONSyntax}},
	{".tofu", Filename{Tofu: true}},
	{".tofu.json", Filename{Syntax: JSONSyntax, Tofu: true}},
	{".tofutest.hcl", Filename{Kind: TestFile, Tofu: true}},
	{".tofutest.json", Filename{Kind: TestFile, Syntax: JSONSyntax, Tofu: true}},
	{".tfmock.hcl", Filename{Kind: MockFile}},
	{".tfmock.json", Filename{Kind: MockFile, Syntax: JSONSyntax}},
	{".tfquery.hcl", Filename{Kind: QueryFile}},
	{".tfquery.json", Filename{Kind: QueryFile, Syntax: JSONSyntax}},
	{".tfmigrate.hcl", Filename{Kind: MigrationFile}},
	{".tfmigrate.json", Filename{Kind: MigrationFile, Syntax: JSONSyntax}},
	{".tfvars", Filename{Kind: ValuesFile}},
	{".tfvars.json", Filename{Kind: ValuesFile, Syntax: JSONSyntax}},
}

// ParseFilename returns the parts of a file's name, and reports whether it is
// the name of a configuration file. Hidden files and the backup files of
// editors are not. The name may have directories before it.
func ParseFilename(filename string) (Filename, bool) {
	base := path.Base(strings.ReplaceAll(filename, `\`, "/"))
	if ignored(base) {
		return Filename{}, false
	}
	for _, e := range extensions {
		if stem, ok := strings.CutSuffix(base, e.suffix); ok {
			n := e.name
			n.Stem = stem
			n.Override = n.Kind != ValuesFile && (stem == "override" || strings.HasSuffix(stem, "_override"))
			return n, true
		}
	}
	return Filename{}, false
}

// ignored reports whether OpenTofu skips a directory entry of that name,
// because it is hidden or an editor's.
func ignored(base string) bool {
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") ||
		strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#")
}

// tofuVariant returns the name of the file that OpenTofu reads instead of
// name, if both exist; ok is false if there is no such name.
func tofuVariant(name string) (variant string, ok bool) {
	for _, e := range extensions {
		if stem, found := strings.CutSuffix(name, e.suffix); found && strings.HasPrefix(e.suffix, ".tf") && e.name.Kind <= TestFile {
			return stem + ".tofu" + strings.TrimPrefix(e.suffix, ".tf"), true
		}
	}
	return "", false
}

// Position returns the place of the byte at offset. A negative offset means the
// first byte, and one beyond the text means its end. Columns count grapheme
// clusters, as HCL does; in JSON syntax a tab counts as two columns and a
// carriage return as none, which is how OpenTofu's JSON reader counts.
//
// The first call reads the file once; after that the cost does not depend on
// the length of the file or of the line.
func (f *File) Position(offset int64) addrs.Pos {
	if f == nil {
		return addrs.Pos{}
	}
	offset = max(0, min(offset, int64(len(f.src))))
	f.linesOnce.Do(f.indexLines)
	m := f.marks[offset/markEvery]
	f.advance(&m, int(offset))
	return addrs.Pos{Offset: offset, Line: int(m.line), Column: int(m.column)}
}

// rangeOf returns s with its lines and columns.
func (f *File) rangeOf(s textspan.Span) addrs.Range {
	switch {
	case f == nil:
		return addrs.Range{} // of a zero value
	case s.Start < 0:
		return addrs.Range{Filename: f.name}
	}
	return addrs.Range{Filename: f.name, Start: f.Position(int64(s.Start)), End: f.Position(int64(s.End))}
}

// A mark is a place whose line and column are known.
type mark struct {
	offset, line, column int32
}

// markEvery is the distance of marks, in bytes: the one for an offset is found
// by a division. A mark is at the last place at or before its own where a
// grapheme cluster surely begins.
const markEvery = 64

// indexLines makes the marks of the file. Without marks inside a line, a file
// of one line would cost the square of its length.
func (f *File) indexLines() {
	f.marks = make([]mark, len(f.src)/markEvery+1)
	m := mark{0, 1, 1}
	if f.syntax == NativeSyntax && len(f.src) >= 3 && string(f.src[:3]) == "\uFEFF" {
		m.offset = 3 // a byte order mark has no column
	}
	f.marks[0] = m
	for i := 1; i < len(f.marks); i++ {
		// A cluster always begins between two ASCII bytes, except within CR LF,
		// which is one cluster. Between other bytes it may not.
		at := i * markEvery
		for at > max((i-1)*markEvery, int(m.offset)) && (f.src[at-1] >= utf8.RuneSelf || at < len(f.src) && f.src[at] >= utf8.RuneSelf || f.src[at-1] == '\r') {
			at--
		}
		if at > (i-1)*markEvery && at > int(m.offset) {
			f.advance(&m, at)
		}
		f.marks[i] = m
	}
}

// advance moves m on to the offset to.
func (f *File) advance(m *mark, to int) {
	src := f.src
	i, column := int(m.offset), m.column
	for i < to {
		// Eight bytes at a time, as long as each is one column.
		if i+8 <= to && plainASCII(src[i:]) {
			i, column = i+8, column+8
			continue
		}
		switch b := src[i]; {
		case b >= utf8.RuneSelf:
			var n int32
			i, n = f.clusters(int(m.offset), i, to)
			column += n
			continue
		case b == '\n':
			m.line++
			column = 1
		case b >= ' ':
			column++
		case f.syntax == JSONSyntax && b == '\t':
			column += 2
		case f.syntax == JSONSyntax && b == '\r':
		case b == '\r' && i+1 < len(src) && src[i+1] == '\n':
			// Native syntax: CR LF is one cluster, which ends the line.
		default:
			column++
		}
		i++
	}
	m.offset, m.column = int32(max(i, int(m.offset))), column
}

// plainASCII reports whether the first eight bytes of b are ASCII and no
// control characters.
func plainASCII(b []byte) bool {
	const ones = 0x0101010101010101
	w := binary.LittleEndian.Uint64(b)
	return (w|(w-' '*ones)&^w)&(0x80*ones) == 0
}

// clusters counts the grapheme clusters from the byte at i, which is not ASCII,
// to the next two ASCII bytes or to the offset to. It returns where it stopped,
// and by how much the column grows. The bytes from start on are on hand.
func (f *File) clusters(start, i, to int) (end int, columns int32) {
	// A combining character may belong to the ASCII one before, but not to
	// a quote, which is a token of its own.
	from := i
	if i > start && f.src[i-1] >= ' ' && f.src[i-1] != '"' && f.src[i-1] < utf8.RuneSelf {
		from, columns = i-1, -1
	}
	for end = i + 1; end < to && (f.src[end] >= utf8.RuneSelf || f.src[end-1] >= utf8.RuneSelf && f.src[end] >= ' '); end++ {
	}
	for rest := f.src[from:end]; len(rest) > 0; columns++ {
		n, _, err := textseg.ScanGraphemeClusters(rest, true)
		if err != nil || n == 0 {
			n = 1
		}
		rest = rest[n:]
	}
	return end, columns
}

func spanOf(r hcl.Range) textspan.Span { return textspan.Of(int32(r.Start.Byte), int32(r.End.Byte)) }

// jsonText returns the meaning of the JSON string at s.
func (f *File) jsonText(s textspan.Span) string {
	raw := f.text[s.Start+1 : s.End-1]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(jsonscan.AppendUnquote(nil, f.src[s.Start:s.End]))
}

// lateFile returns a file in native syntax like f with the text src. The text must
// have no syntax errors; it is parsed when its content is first needed.
func (f *File) lateFile(src []byte) *File {
	out := &File{
		name: f.name, syntax: f.syntax, kind: f.kind, tofu: f.tofu, override: f.override,
		dialect: f.dialect, release: f.release, src: src, late: true,
	}
	out.body.file, out.body.spec, out.body.at = out, f.body.spec, textspan.Of(0, int32(len(src)))
	return out
}
