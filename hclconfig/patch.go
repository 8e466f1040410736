// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import "slices"

// A patcher changes a text piece by piece and remembers where the pieces of
// the original have gone, so that many edits can speak of one original.
type patcher struct {
	text   []byte
	deltas []delta
}

// A delta says that del bytes of the original, from at on, have become ins
// bytes. Deltas are in order and do not overlap.
type delta struct{ at, del, ins int }

// start returns where the thing that began at offset of the original begins
// now; what was inserted before it is not part of it. It reports false if the
// thing is gone.
func (p *patcher) start(offset int) (int, bool) {
	shift := 0
	for _, d := range p.deltas {
		switch {
		case d.at+d.del <= offset:
			shift += d.ins - d.del
		case d.at < offset:
			return 0, false
		case d.at == offset && d.ins == 0:
			return 0, false
		default:
			return offset + shift, true
		}
	}
	return offset + shift, true
}

// end returns where the thing that ended at offset of the original ends now;
// what was inserted behind it is not part of it.
func (p *patcher) end(offset int) (int, bool) {
	shift := 0
	for _, d := range p.deltas {
		switch {
		case d.at+d.del <= offset && !(d.del == 0 && d.at == offset):
			shift += d.ins - d.del
		case d.at < offset:
			return 0, false
		default:
			return offset + shift, true
		}
	}
	return offset + shift, true
}

// replace puts ins in the place of the text from start to end, which are
// offsets into the text as it is now.
func (p *patcher) replace(start, end int, ins string) {
	p.text = slices.Replace(p.text, start, end, []byte(ins)...)
	merged := delta{ins: len(ins)}
	shift, first := 0, 0
	// Those wholly before keep their place.
	for first < len(p.deltas) {
		d := p.deltas[first]
		if d.at+shift+d.ins > start {
			break
		}
		shift += d.ins - d.del
		first++
	}
	merged.at = start - shift
	last, ended := first, false
	for last < len(p.deltas) {
		d := p.deltas[last]
		at := d.at + shift // where it is now
		if at >= end && !(at == end && at < start) {
			break
		}
		if at < start { // its head stays, as part of the new one
			merged.at = d.at
			merged.ins += start - at
		}
		if at+d.ins > end { // and so does its tail
			merged.ins += at + d.ins - end
			merged.del = d.at + d.del - merged.at
			ended = true
		}
		shift += d.ins - d.del
		last++
		if ended {
			break
		}
	}
	if !ended {
		merged.del = end - shift - merged.at
	}
	p.deltas = slices.Replace(p.deltas, first, last, merged)
}
