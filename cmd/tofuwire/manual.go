// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/internal/commandline"
)

// manualName is the subcommand that writes the manual pages to a folder, for packages; it is in no list.
const manualName = "__manual"

// manual writes tofuwire.1, and a page for each subcommand, from what -h prints.
func manual(dir string) error {
	var list strings.Builder
	list.WriteString(manualHead("tofuwire", "read, check and change what OpenTofu and Terraform read and write") +
		".SH SYNOPSIS\n.B tofuwire\nSUBCOMMAND [ARGUMENT]...\n.SH SUBCOMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&list, ".TP\n.BR tofuwire\\-%s (1)\n%s\n", roff(c.name), roff(c.what))
		flags := definition(c)
		if c.name == "state" {
			flags = definition(c, "")
		}
		if err := os.WriteFile(filepath.Join(dir, "tofuwire-"+c.name+".1"), []byte(manualPage(c, flags)), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "tofuwire.1"), []byte(list.String()), 0o644)
}

func manualHead(name, what string) string {
	return fmt.Sprintf(".TH %s 1 \"\" tofuwire\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(what))
}

// manualPage returns the page of a subcommand.
func manualPage(c command, flags *commandline.Set) string {
	var b strings.Builder
	b.WriteString(manualHead("tofuwire-"+c.name, c.what) + ".SH SYNOPSIS\n.nf\n")
	for _, line := range flags.Lines() {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n.SH DESCRIPTION\n" + manualText(flags.About) + ".SH OPTIONS\n")
	for _, o := range flags.Options() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(o.Head()), roff(o.Usage))
	}
	if flags.More != "" {
		b.WriteString(".SH NOTES\n" + manualText(flags.More))
	}
	b.WriteString(".SH EXIT STATUS\n")
	for line := range strings.Lines(strings.TrimSpace(flags.Exit)) {
		status, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", status, roff(what))
	}
	b.WriteString(".SH EXAMPLES\n.nf\n" + roff(flags.Example) + "\n.fi\n.SH SEE ALSO\n.BR tofuwire (1)\n")
	return b.String()
}

// manualText returns paragraphs; lines that begin with a blank stay as they are.
func manualText(text string) string {
	var b strings.Builder
	for i, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") || strings.Contains(p, "\n* ") {
			b.WriteString(".nf\n" + roff(p) + "\n.fi\n")
		} else {
			b.WriteString(roff(p) + "\n")
		}
	}
	return b.String()
}

// roff returns a text that means itself in a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
