// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Plot draws the figures of docs/benchmarks.md: for each row with a peer, the
// ratio of our time to the peer's, on a logarithmic scale.
//
//	go run ./plot    writes ../docs/benchmarks.svg and ../docs/benchmarks-dark.svg
package main

import (
	"bytes"
	"fmt"
	"html"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("plot: ")
	docs := filepath.Join("..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "benchmarks.md"))
	if err != nil {
		log.Fatal(err)
	}
	bars := readBars(string(text))
	if len(bars) == 0 {
		log.Fatal("benchmarks.md has no figures")
	}
	for name, c := range themes {
		if err := os.WriteFile(filepath.Join(docs, name), draw(bars, c), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// A bar is one row of a table: the time of a peer is 1.
type bar struct {
	section, label, peer string
	ratio                float64
}

var (
	code   = regexp.MustCompile("`([^`]*)`")
	figure = regexp.MustCompile(`^\d+(\.\d+)?`)
)

// readBars returns the rows about time that name another library. A row that
// begins with a hyphen continues the measure above it.
func readBars(text string) []bar {
	var bars []bar
	var section, measure string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		columns := strings.Split(strings.Trim(line, "|"), "|")
		if len(columns) != 4 || !strings.HasPrefix(line, "|") {
			continue
		}
		for i := range columns {
			columns[i] = code.ReplaceAllString(strings.TrimSpace(columns[i]), "$1")
		}
		name, peer := columns[0], columns[1]
		if rest, ok := strings.CutPrefix(name, "- "); ok {
			name = rest
			if name != "time" {
				name = measure + ", " + rest
			} else {
				name = measure
			}
		} else {
			name, _, _ = strings.Cut(name, ": time")
			measure = name
		}
		if !strings.Contains(columns[0], "time") && !strings.HasPrefix(columns[0], "- ") || strings.Contains(columns[0], "memory") || !isPeer(peer) {
			continue
		}
		if ratio, err := strconv.ParseFloat(figure.FindString(columns[3]), 64); err == nil && ratio > 0 {
			if peer == "the same" && len(bars) > 0 {
				peer = bars[len(bars)-1].peer
			}
			bars = append(bars, bar{section, name, peer, ratio})
		}
	}
	return bars
}

// isPeer reports whether a column names another library, not a part of ours or
// a floor such as a validating skip.
func isPeer(name string) bool {
	if name == "the same" {
		return true
	}
	for _, word := range []string{"terraform", "go-json", "jsontext", "hcl", "dirhash", "net/http", "goccy"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

type colours struct{ back, text, faint, grid, bar string }

var themes = map[string]colours{
	"benchmarks.svg":      {"#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#6e40c9"},
	"benchmarks-dark.svg": {"#0d1117", "#f0f6fc", "#9198a1", "#3d444d", "#b695f8"},
}

// The size of the picture, and the decades of the scale.
const (
	width, left, right, row, top = 960, 520, 60, 30, 56
	lowest, highest              = -3, 0.5
)

func x(ratio float64) float64 {
	at := (math.Log10(ratio) - lowest) / (highest - lowest)
	return left + math.Max(0, math.Min(1, at))*(width-left-right)
}

// draw returns the picture as SVG.
func draw(bars []bar, c colours) []byte {
	var b bytes.Buffer
	height := top + row*len(bars) + 16
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" role="img" aria-label="CPU time of tofuwire as a fraction of that of other libraries">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="%s"/>`+"\n", width, height, c.back)
	fmt.Fprintf(&b, `<text x="16" y="24" font-size="15" font-weight="600" fill="%s">CPU time; the other library = 1; shorter is faster</text>`+"\n", c.text)
	for _, at := range []float64{0.001, 0.01, 0.1, 1} {
		colour := c.grid
		if at == 1 {
			colour = c.faint
		}
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="%s"/><text x="%.1f" y="%d" font-size="12" text-anchor="middle" fill="%s">%g</text>`+"\n", x(at), top-8, height-12, colour, x(at), top-14, c.faint, at)
	}
	for i, r := range bars {
		y := top + row*i
		fmt.Fprintf(&b, `<text x="16" y="%d" font-size="13" fill="%s">%s <tspan fill="%s">%s</tspan></text>`, y+16, c.text, html.EscapeString(short(r.label, 44)), c.faint, html.EscapeString(short(r.peer, 32)))
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="14" rx="2" fill="%s"/>`, left, y+5, x(r.ratio)-left, c.bar)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" font-size="12" fill="%s">%g</text>`+"\n", x(r.ratio)+6, y+16, c.text, r.ratio)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// short cuts a text to n letters.
func short(s string, n int) string {
	if letters := []rune(s); len(letters) > n {
		return strings.TrimSpace(string(letters[:n-1])) + "…"
	}
	return s
}
