// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A filterFunc is a function as a Filter.
type filterFunc func(f *hclconfig.File) (*hclconfig.File, error)

func (filter filterFunc) Filter(f *hclconfig.File) (*hclconfig.File, error) { return filter(f) }

// NewAttributeSetFilter sets an argument that is there.
func NewAttributeSetFilter(address, value string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		_, a, err := argumentAt(f, address)
		if err != nil || a == nil {
			return f, err
		}
		return hcledit.Edit(f).Replace(a.Expression, hcledit.Source(value)).Apply()
	})
}

// NewAttributeAppendFilter adds an argument.
func NewAttributeAppendFilter(address, value string, newline bool) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		names, err := namesOf(address)
		if err != nil {
			return nil, err
		}
		last := len(names) - 1
		var in *hclconfig.Block
		if last > 0 {
			found := blocksAt(f.Body(), names[:last])
			if len(found) == 0 {
				return f, nil
			}
			if in = found[0]; in.Argument(names[last]) != nil {
				return nil, fmt.Errorf("attribute already exists: %s", address)
			}
		}
		return hcledit.Edit(f).Set(in, names[last], hcledit.Source(value), hcledit.Last(), hcledit.BlankLine(newline)).Apply()
	})
}

// NewAttributeRemoveFilter removes an argument.
func NewAttributeRemoveFilter(address string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		_, a, err := argumentAt(f, address)
		if err != nil || a == nil {
			return f, err
		}
		return hcledit.Edit(f).Delete(a).Apply()
	})
}

// NewAttributeRenameFilter renames an argument.
func NewAttributeRenameFilter(from, to string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		in, a, err := argumentAt(f, from)
		if err != nil || a == nil {
			return f, err
		}
		names, err := namesOf(to)
		if err != nil {
			return nil, err
		}
		was := createAddressFromString(from)
		if parent := len(names) - 1; createStringFromAddress(names[:parent]) != createStringFromAddress(was[:len(was)-1]) {
			return nil, errors.New("an argument stays in its block")
		}
		return hcledit.Edit(f).Rename(in, a.Name, names[len(names)-1]).Apply()
	})
}

// NewAttributeReplaceFilter gives an argument another name and value.
func NewAttributeReplaceFilter(address, name, value string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		in, a, err := argumentAt(f, address)
		if err != nil || a == nil {
			return f, err
		}
		return hcledit.Edit(f).Rename(in, a.Name, name).Replace(a.Expression, hcledit.Source(value)).Apply()
	})
}

// NewBlockNewFilter adds an empty block to the file.
func NewBlockNewFilter(address string, newline bool) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		block, err := emptyBlock(address)
		if err != nil {
			return nil, err
		}
		return hcledit.Edit(f).Add(nil, block, hcledit.BlankLine(newline)).Apply()
	})
}

// NewBlockAppendFilter adds an empty block to others.
func NewBlockAppendFilter(parent, child string, newline bool) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		found, err := topBlocks(f, parent)
		if err != nil {
			return nil, err
		}
		block, err := emptyBlock(child)
		if err != nil {
			return nil, err
		}
		e := hcledit.Edit(f)
		for _, b := range found {
			e.Add(b, block, hcledit.Last(), hcledit.BlankLine(newline))
		}
		return e.Apply()
	})
}

func emptyBlock(address string) (*hcledit.BlockBuilder, error) {
	names, err := namesOf(address)
	if err != nil {
		return nil, err
	}
	return hcledit.NewBlock(names[0], names[1:]...).Lines(), nil
}

// NewBlockRenameFilter gives blocks another type and other labels.
func NewBlockRenameFilter(from, to string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		found, err := topBlocks(f, from)
		if err != nil {
			return nil, err
		}
		names, err := namesOf(to)
		if err != nil {
			return nil, err
		}
		e := hcledit.Edit(f)
		for _, b := range found {
			e.SetHeader(b, names[0], names[1:]...)
		}
		return e.Apply()
	})
}

// NewBlockRemoveFilter removes blocks.
func NewBlockRemoveFilter(address string) Filter {
	return filterFunc(func(f *hclconfig.File) (*hclconfig.File, error) {
		found, err := topBlocks(f, address)
		if err != nil {
			return nil, err
		}
		e := hcledit.Edit(f)
		for _, b := range found {
			e.Delete(b)
		}
		if f, err = e.Apply(); err != nil {
			return nil, err
		}
		return (&verticalFormatterFilter{}).Filter(f)
	})
}

// A verticalFormatterFilter leaves one blank line of many, and none at the edges of a
// file.
type verticalFormatterFilter struct{}

func (*verticalFormatterFilter) Filter(f *hclconfig.File) (*hclconfig.File, error) {
	src := f.Bytes()
	tokens, _ := hclsyntax.LexConfig(src, f.Filename(), hcl.InitialPos)
	var out strings.Builder
	done, breaks := 0, 2 // how many line ends the text before has
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenNewline {
			if breaks = 0; t.Type == hclsyntax.TokenComment && strings.HasSuffix(string(t.Bytes), "\n") {
				breaks = 1
			}
			continue
		}
		if breaks++; breaks > 2 {
			out.Write(src[done:t.Range.Start.Byte])
			done = t.Range.End.Byte
		}
	}
	out.Write(src[done:])
	text := out.String()
	if strings.HasSuffix(text, "\n") {
		text = strings.TrimRight(text, "\n") + "\n"
	}
	if strings.TrimSpace(text) == "" {
		text = ""
	}
	return parse(text)
}
