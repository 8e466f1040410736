// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// namesOf returns the names of an address.
func namesOf(address string) ([]string, error) {
	if address == "" {
		return nil, errors.New("failed to parse address: it is empty")
	}
	return createAddressFromString(address), nil
}

// blocksAt returns the blocks that an address leads to.
func blocksAt(body *hclconfig.Body, names []string) []*hclconfig.Block {
	var found []*hclconfig.Block
	for b := range body.BlocksOfType(names[0]) {
		rest := names[1:]
		switch n := len(b.Labels); {
		case len(rest) < n || !matches(b.Labels, rest[:n]):
		case len(rest) == n:
			found = append(found, b)
		default:
			found = append(found, blocksAt(&b.Body, rest[n:])...)
		}
	}
	return found
}

func matches(labels, want []string) bool {
	for i, label := range labels {
		if want[i] != label && want[i] != "*" {
			return false
		}
	}
	return true
}

// topBlocks returns the blocks that an address leads to and that are in no other one.
func topBlocks(f *hclconfig.File, address string) ([]*hclconfig.Block, error) {
	names, err := namesOf(address)
	if err != nil {
		return nil, err
	}
	var found []*hclconfig.Block
	for b := range f.Body().BlocksOfType(names[0]) {
		if len(b.Labels) == len(names)-1 && matches(b.Labels, names[1:]) {
			found = append(found, b)
		}
	}
	return found, nil
}

// argumentAt returns the argument that an address leads to, and the block that it is in.
func argumentAt(f *hclconfig.File, address string) (in *hclconfig.Block, a *hclconfig.Argument, err error) {
	names, err := namesOf(address)
	if err != nil {
		return nil, nil, err
	}
	last := len(names) - 1
	if last == 0 {
		return nil, f.Body().Argument(names[0]), nil
	}
	for _, b := range blocksAt(f.Body(), names[:last]) {
		if a := b.Argument(names[last]); a != nil {
			return b, a, nil
		}
	}
	return nil, nil, nil
}

// AttributeGetSink prints the value of an argument.
type AttributeGetSink struct {
	address      string
	withComments bool
}

// NewAttributeGetSink returns an AttributeGetSink.
func NewAttributeGetSink(address string, withComments bool) Sink {
	return &AttributeGetSink{address, withComments}
}

func (s *AttributeGetSink) Sink(f *hclconfig.File) ([]byte, error) {
	_, a, err := argumentAt(f, s.address)
	switch {
	case err != nil || a == nil:
		return nil, err
	case s.withComments:
		return []byte(hcledit.TextOf(a.Expression) + "\n"), nil
	}
	return []byte(hcledit.CodeOf(a.Expression) + "\n"), nil
}

// BlockListSink prints the addresses of the blocks.
type BlockListSink struct{}

// NewBlockListSink returns a BlockListSink.
func NewBlockListSink() Sink { return BlockListSink{} }

func (BlockListSink) Sink(f *hclconfig.File) ([]byte, error) {
	var out []byte
	for _, b := range f.Body().Blocks {
		out = fmt.Appendln(out, createStringFromAddress(append([]string{b.Type}, b.Labels...)))
	}
	return out, nil
}

// BlockGetFilter leaves the blocks that an address leads to.
type BlockGetFilter struct{ address string }

// NewBlockGetFilter returns a BlockGetFilter.
func NewBlockGetFilter(address string) Filter { return &BlockGetFilter{address} }

func (g *BlockGetFilter) Filter(f *hclconfig.File) (*hclconfig.File, error) {
	found, err := topBlocks(f, g.address)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		found = blocksAt(f.Body(), createAddressFromString(g.address))
	}
	var text []string
	for _, b := range found {
		text = append(text, hcledit.TextOf(b)+"\n")
	}
	return parse(strings.Join(text, "\n"))
}

// BodyGetFilter leaves what is in the first block that an address leads to.
type BodyGetFilter struct{ address string }

// NewBodyGetFilter returns a BodyGetFilter.
func NewBodyGetFilter(address string) Filter { return &BodyGetFilter{address} }

func (g *BodyGetFilter) Filter(f *hclconfig.File) (*hclconfig.File, error) {
	names, err := namesOf(g.address)
	if err != nil {
		return nil, err
	}
	found := blocksAt(f.Body(), names)
	if len(found) == 0 {
		return parse("")
	}
	if f, err = parse(hcledit.TextOf(&found[0].Body) + "\n"); err != nil {
		return nil, err
	}
	return (&verticalFormatterFilter{}).Filter(f)
}
