// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Arguments are those that have values in the instances of blocks. Constants of others,
// such as write-only arguments, cannot be judged.
type arguments struct {
	seed      maphash.Seed
	instances map[string]*instances // by the blocks that have instances whose values are marked
	argNames  []byte                // of arguments with values
	seen      map[uint64]struct{}   // what has been seen of arguments, by block and names
}

// maxWalks is how many instances of a block are looked at in depth, to find out
// which arguments of nested blocks have values.
const maxWalks = 8

// instances are those of a block.
type instances struct {
	block  uint64    // the hash of its address
	walks  int       // how many of them have been looked at in depth
	args   []part    // with values, sorted; no more than maxArgs
	recent [4]uint64 // the hashes of values that were looked at
	next   int       // which of them is the oldest
}

// A part is a part of the names that a document has.
type part struct{ start, end int }

// maxArgs is how many arguments of a block are kept sorted.
const maxArgs = 256

// of returns the instances of a block.
func (a *arguments) of(block string) *instances {
	known := a.instances[block]
	if known == nil {
		known = &instances{block: maphash.String(a.seed, block)}
		a.instances[block] = known
	}
	return known
}

// isNew reports whether a value with a hash is none of the last ones.
func (known *instances) isNew(hash uint64) bool {
	if slices.Contains(known.recent[:], hash) {
		return false
	}
	known.recent[known.next%len(known.recent)] = hash
	known.next++
	return true
}

// seeArg takes note that an argument of a block has a value. It most likely is
// the one with number k. It returns the number that the next one most likely has.
func (a *arguments) seeArg(known *instances, arg []byte, k int) int {
	is := func(k int) int { return bytes.Compare(a.argNames[known.args[k].start:known.args[k].end], arg) }
	for ; k < len(known.args); k++ {
		if order := is(k); order == 0 {
			return k + 1
		} else if order > 0 {
			break
		}
	}
	if k > 0 && is(k-1) > 0 {
		found := false
		if k, found = a.findArg(known, arg); found {
			return k + 1
		}
	}
	if len(known.args) >= maxArgs {
		a.see(a.key(known.block, arg))
		return k
	}
	start := len(a.argNames)
	a.argNames = append(a.argNames, arg...)
	known.args = slices.Insert(known.args, k, part{start, len(a.argNames)})
	return k + 1
}

// findArg returns the number that an argument of a block has or would have.
func (a *arguments) findArg(known *instances, arg []byte) (int, bool) {
	return slices.BinarySearchFunc(known.args, arg, func(p part, arg []byte) int { return bytes.Compare(a.argNames[p.start:p.end], arg) })
}

// observePart takes note of which names in the argument with this key have values.
func (a *arguments) observePart(key uint64, value []byte) {
	for k := 0; k < len(value); {
		if value[k] != '"' {
			k++
			continue
		}
		end := jsonscan.StringEnd(value, k)
		if next := jsonscan.Space(value, end); next < len(value) && value[next] == ':' {
			if next = jsonscan.Space(value, next+1); value[next] != 'n' {
				a.see(a.below(key, jsonscan.UnquoteBytes(value[k:end])))
			}
		}
		k = end
	}
}

// see takes note of a key, and reports whether it is new.
func (a *arguments) see(key uint64) bool {
	n := len(a.seen)
	a.seen[key] = struct{}{}
	return len(a.seen) > n
}

const prime = 0x9e3779b97f4a7c15

// key returns the key of an argument in seen.
func (a *arguments) key(block uint64, arg []byte) uint64 {
	return block*prime ^ maphash.Bytes(a.seed, arg)
}

// below returns the key of something in what has a key.
func (a *arguments) below(key uint64, name []byte) uint64 {
	return key*prime ^ maphash.Bytes(a.seed, name)
}

// isSeen reports whether an argument has a value in an instance, or a name in it
// that is not empty.
func (a *arguments) isSeen(block, arg, name string) bool {
	if name == "" {
		if known := a.instances[block]; known != nil {
			if _, ok := a.findArg(known, []byte(arg)); ok {
				return true
			}
		}
	}
	key := a.key(maphash.String(a.seed, block), []byte(arg))
	if name != "" {
		key = a.below(key, []byte(name))
	}
	_, ok := a.seen[key]
	return ok
}
