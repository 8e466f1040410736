// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"crypto/sha256"
	"hash"
	"hash/crc32"
)

// lanes is how many buffers of each kind there are when two goroutines
// work: one that is being filled, one that is being hashed, one between.
const lanes = 3

// A lane hashes the bytes of a zip and the content of its entries, in the goroutine of
// the caller or in one of its own. It lends the buffers, and takes each back when its
// data is hashed.
type lane struct {
	// Free buffers. Only the caller's goroutine hands buffers out.
	chunks, blocks chan []byte

	jobs chan job // nil if there is one goroutine
	done chan struct{}

	// The hashes belong to the hashing goroutine while it runs.
	zip, content hash.Hash
	crc          uint32
}

// A job is a task for the hashing goroutine: to hash data, to note the result
// of an entry, or to give back a buffer. Jobs are done in order.
type job struct {
	zip     []byte  // a part of the zip
	content []byte  // a part of the content of an entry
	end     *result // where the result of the entry goes that ends here
	chunk   []byte  // a buffer to give back
	block   []byte  // a buffer to give back
	last    bool    // there are no more jobs for this zip
}

// A result is the hash of the content of an entry.
type result struct {
	sum [sha256.Size]byte
	crc uint32
}

// newLane returns a lane with a goroutine of its own, or without one.
func newLane(two bool) *lane {
	l := &lane{zip: sha256.New(), content: sha256.New()}
	// One goroutine passes content to no other, so a small block is enough.
	// Programs that hash many packages at once have many of these blocks.
	n, block := 1, smallBlock
	if two {
		n, block = lanes, blockSize
		l.jobs = make(chan job, 2*lanes)
	}
	l.chunks = make(chan []byte, n)
	l.blocks = make(chan []byte, n)
	for range n {
		l.chunks <- make([]byte, headroom+chunkSize)
		l.blocks <- make([]byte, historySize+block)
	}
	return l
}

// begin prepares for a zip.
func (l *lane) begin() {
	l.zip.Reset()
	l.content.Reset()
	l.crc = 0
	if l.jobs != nil {
		l.done = make(chan struct{})
		go l.serve(l.jobs, l.done)
	}
}

// finish runs j as the last job, and waits until all are done.
func (l *lane) finish(j job) {
	j.last = true
	l.do(j)
	if l.jobs != nil {
		<-l.done
	}
}

// serve does jobs until the last one.
func (l *lane) serve(jobs <-chan job, done chan<- struct{}) {
	defer close(done)
	for j := range jobs {
		l.work(j)
		if j.last {
			return
		}
	}
}

// do runs a job, here or in the other goroutine.
func (l *lane) do(j job) {
	if l.jobs != nil {
		l.jobs <- j
	} else {
		l.work(j)
	}
}

// work runs a job.
func (l *lane) work(j job) {
	if j.zip != nil {
		l.zip.Write(j.zip)
	}
	if j.content != nil {
		l.content.Write(j.content)
		l.crc = crc32.Update(l.crc, crc32.IEEETable, j.content)
	}
	if j.end != nil {
		l.content.Sum(j.end.sum[:0])
		j.end.crc = l.crc
		l.content.Reset()
		l.crc = 0
	}
	if j.chunk != nil {
		l.chunks <- j.chunk
	}
	if j.block != nil {
		l.blocks <- j.block
	}
}

// zh returns the SHA-256 of the zip, after all of it was read and finish was
// called.
func (l *lane) zh() Hash {
	var sum [sha256.Size]byte
	l.zip.Sum(sum[:0])
	return NewZH(sum)
}
