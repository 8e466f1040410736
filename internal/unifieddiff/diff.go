// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package unifieddiff writes the difference between two texts as "diff -u" does.
package unifieddiff

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A line of a difference: op is ' ', '-' or '+'.
type line struct {
	op   byte
	text string
}

// Write writes the difference between two texts of the file at path. It writes nothing
// if they are equal.
func Write(w io.Writer, path, before, after string) error {
	if before == after {
		return nil
	}
	b := bufio.NewWriter(w)
	lines := diffLines(splitLines(before), splitLines(after))
	path = strings.TrimPrefix(filepath.ToSlash(path), "/")
	fmt.Fprintf(b, "--- a/%s\n+++ b/%s\n", path, path)
	const around = 3
	for i := 0; i < len(lines); {
		if lines[i].op == ' ' {
			i++
			continue
		}
		// A hunk goes on as long as the next change is near.
		start, end := max(0, i-around), i
		for j, same := i, 0; j < len(lines) && same <= 2*around; j++ {
			if lines[j].op == ' ' {
				same++
			} else {
				same, end = 0, j+1
			}
		}
		i = end
		end = min(len(lines), end+around)
		hunk(b, lines, start, end)
	}
	return b.Flush()
}

func hunk(w io.Writer, lines []line, start, end int) {
	from, to := 1, 1
	for _, l := range lines[:start] {
		if l.op != '+' {
			from++
		}
		if l.op != '-' {
			to++
		}
	}
	old, now := 0, 0
	for _, l := range lines[start:end] {
		if l.op != '+' {
			old++
		}
		if l.op != '-' {
			now++
		}
	}
	if old == 0 {
		from--
	}
	if now == 0 {
		to--
	}
	fmt.Fprintf(w, "@@ -%d,%d +%d,%d @@\n", from, old, to, now)
	for _, l := range lines[start:end] {
		fmt.Fprintf(w, "%c%s", l.op, l.text)
		if !strings.HasSuffix(l.text, "\n") {
			fmt.Fprint(w, "\n\\ No newline at end of file\n")
		}
	}
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diffLines returns a way from a to b.
func diffLines(a, b []string) []line {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []line
	for _, s := range a[:head] {
		out = append(out, line{' ', s})
	}
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, s := range a[len(a)-tail:] {
		out = append(out, line{' ', s})
	}
	return out
}

// middle returns the shortest way from a to b. If they are very long, it returns
// one that removes a and adds b.
func middle(a, b []string) []line {
	var out []line
	n, m := len(a), len(b)
	if n*m <= 1<<22 {
		// common[i][j] is the number of lines that a[i:] and b[j:] have in
		// common.
		common := make([][]int32, n+1)
		for i := range common {
			common[i] = make([]int32, m+1)
		}
		for i := n - 1; i >= 0; i-- {
			for j := m - 1; j >= 0; j-- {
				if a[i] == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
		i, j := 0, 0
		for i < n && j < m {
			switch {
			case a[i] == b[j]:
				out = append(out, line{' ', a[i]})
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				out = append(out, line{'-', a[i]})
				i++
			default:
				out = append(out, line{'+', b[j]})
				j++
			}
		}
		a, b = a[i:], b[j:]
	}
	for _, s := range a {
		out = append(out, line{'-', s})
	}
	for _, s := range b {
		out = append(out, line{'+', s})
	}
	return out
}
