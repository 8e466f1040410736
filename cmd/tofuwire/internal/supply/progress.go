// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// A Bar shows the progress of all downloads together in one line of a terminal, and
// counts what was downloaded.
type Bar struct {
	W    io.Writer // the terminal; if nil, nothing is shown
	From time.Time // when the line appears at the earliest

	mu    sync.Mutex
	done  map[*registry.Package]int64
	total map[*registry.Package]int64
	shown string
}

// Update is called by the client.
func (b *Bar) Update(pkg *registry.Package, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done == nil {
		b.done, b.total = map[*registry.Package]int64{}, map[*registry.Package]int64{}
	}
	b.done[pkg], b.total[pkg] = done, max(total, done)
	if b.W == nil || time.Now().Before(b.From) {
		return
	}
	var sum, all int64
	finished := 0
	for p, n := range b.done {
		sum += n
		all += b.total[p]
		if n == b.total[p] && n > 0 {
			finished++
		}
	}
	const width = 30
	filled := 0
	if all > 0 {
		filled = int(sum * width / all)
	}
	line := fmt.Sprintf("[%s%s] %d of %d packages, %.1f of %.1f MB", strings.Repeat("=", filled), strings.Repeat(" ", width-filled),
		finished, len(b.done), float64(sum)/1e6, float64(all)/1e6)
	if line != b.shown {
		b.shown = line
		fmt.Fprintf(b.W, "\r\x1b[K%s", line)
	}
}

// Bytes returns how many bytes came: of one provider, or, for the zero Provider, of
// everything.
func (b *Bar) Bytes(of addrs.Provider) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum int64
	for p, n := range b.done {
		if !of.IsValid() || p.Provider == of {
			sum += n
		}
	}
	return sum
}

// Clear removes the line.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown != "" {
		fmt.Fprint(b.W, "\r\x1b[K")
		b.shown = ""
	}
}
