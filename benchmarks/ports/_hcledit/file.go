// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package editor

import (
	"bytes"
	"fmt"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// An Operator makes a text of a text.
type Operator interface {
	Apply(input []byte, filename string) ([]byte, error)
}

// A Source reads a text as a file.
type Source interface {
	Source(src []byte, filename string) (*hclconfig.File, error)
}

// A Filter makes a file of a file.
type Filter interface {
	Filter(*hclconfig.File) (*hclconfig.File, error)
}

// A Sink makes a text of a file.
type Sink interface {
	Sink(*hclconfig.File) ([]byte, error)
}

// A Formatter lays a file out.
type Formatter interface {
	Format(*hclconfig.File) ([]byte, error)
}

// ParserSource reads files of HCL.
type ParserSource struct{}

// NewParserSource returns a ParserSource.
func NewParserSource() Source { return ParserSource{} }

func (ParserSource) Source(src []byte, filename string) (*hclconfig.File, error) {
	f, err := hclconfig.ParseNative(filename, src)
	if err == nil {
		err = f.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("failed to parse input: %w", err)
	}
	return f, nil
}

// parse reads a text that an edit made.
func parse(text string) (*hclconfig.File, error) {
	return ParserSource{}.Source([]byte(text), "generated.hcl")
}

// DefaultFormatter lays a file out as hclwrite does.
type DefaultFormatter struct{}

// NewDefaultFormatter returns a DefaultFormatter.
func NewDefaultFormatter() Formatter { return DefaultFormatter{} }

func (DefaultFormatter) Format(f *hclconfig.File) ([]byte, error) { return hcledit.Layout(f.Bytes()) }

// Apply edits a text. One that stays as it is is not laid out.
func (o *EditOperator) Apply(input []byte, filename string) ([]byte, error) {
	in, err := o.source.Source(input, filename)
	if err != nil {
		return nil, err
	}
	out, err := o.filter.Filter(in)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(input, out.Bytes()) {
		return out.Bytes(), nil
	}
	return o.formatter.Format(out)
}

// A MultiFilter is filters in a row.
type MultiFilter struct{ filters []Filter }

// NewMultiFilter returns a MultiFilter.
func NewMultiFilter(filters []Filter) Filter { return &MultiFilter{filters} }

func (m *MultiFilter) Filter(f *hclconfig.File) (*hclconfig.File, error) {
	var err error
	for _, next := range m.filters {
		if f, err = next.Filter(f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// FormatterFilter lays a file out.
type FormatterFilter struct{}

// NewFormatterFilter returns a FormatterFilter.
func NewFormatterFilter() Filter { return FormatterFilter{} }

func (FormatterFilter) Filter(f *hclconfig.File) (*hclconfig.File, error) {
	text, err := hcledit.Layout(f.Bytes())
	if err != nil {
		return nil, err
	}
	return parse(string(text))
}
