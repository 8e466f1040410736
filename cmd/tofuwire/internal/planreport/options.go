// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/settingsfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

// usage is the text of -h.
var usage = commandline.Text{
	Arguments: "[FILE]...",
	Files:     planfile.Endings,
	About: `
Report shows what plans change, attribute by attribute, and why. FILE is the output of
"show -json PLANFILE", a log that contains it, or a saved plan; without FILE, or if it is -,
standard input is read. The report goes to standard output: Markdown for a comment, one HTML page
without external resources, text, or JSON for programs. If FILE is a log, standard error describes
the text that was skipped.

The report begins with reasons not to trust a plan: planning failed, the plan is incomplete,
defers changes, is redacted, and so on. For several plans it begins with a table that lists failed
and incomplete plans first.

Secrets are hidden: values that the plans mark as sensitive, and copies of them elsewhere.`,
	Exit: `
0 the report was written
1 it was not
2 it was written but shows a plan that failed or has an unsupported format version; or a usage error, and nothing was written`,
	Example: "tofu show -json plan.tfplan | tofuwire report -format md",
}

// Options are what the command line says.
type options struct {
	format, place, title, runURL, key, summary, config string

	limit     int
	reveal    bool
	colors    bool
	selection Selection
	settings  string // a file
	inputs    planfile.Inputs
	against   []string
	files     []string
}

// limits are the numbers of characters that comments have at most. That of plain is the
// smallest one of those that take it, Bitbucket's.
var limits = map[string]int{"github": 65_536, "gitlab": 1_000_000, "plain": 32_768}

// newOptions returns the options of a command line.
func newOptions(stdin io.Reader) (*options, *commandline.Set) {
	o := &options{}
	flags := commandline.New("tofuwire report", usage)
	flags.Choice(&o.format, "format", "text", "the `FORMAT`: md, html, text, json or github. json is for programs and is never shortened. github is a workflow command of GitHub Actions for each block whose objects change", slices.Sorted(maps.Keys(writers))...)
	flags.Choice(&o.place, "for", "github", "the `PLACE` where md is shown: github, gitlab, or plain, without HTML, for Bitbucket and Azure DevOps", "github", "gitlab", "plain")
	flags.IntVar(&o.limit, "limit", 0, "at most `N` characters of md; the default is 65536 for github, 1000000 for gitlab, and 32768 for plain. Omitted objects are counted at the end; destroyed objects are never omitted")
	flags.StringVar(&o.title, "title", "", "the heading `TEXT`, \"Plan\" by default")
	flags.StringVar(&o.runURL, "run-url", "", "a link to the run that made the plans, `URL`")
	flags.StringVar(&o.key, "key", "", "begin md with a hidden marker, so a program can find the comment again: <!-- tofuwire `KEY` -->, or [//]: # (tofuwire KEY) for plain")
	flags.StringVar(&o.summary, "summary", "", "write counts and verdicts as JSON to `FILE`")
	flags.BoolVar(&o.reveal, "reveal", false, "show all values, even those marked as sensitive")
	flags.Strings(&o.against, "against", "also show how the plan differs from the plan `APPROVED`; with several FILEs, give it once for each, in the same order")
	flags.StringVar(&o.config, "config", "", "with -format github, annotate the blocks of the configuration in `DIR`")
	o.inputs.Register(flags)
	o.selection.Register(flags)
	flags.StringVar(&o.settings, "settings", "", "settings in `FILE` instead of .tofuwire.hcl in the working directory or above it, up to the root of the repository; options of the command line take precedence")
	flags.Check = func() error {
		if o.files = flags.Args(); len(o.files) == 0 {
			o.files = []string{"-"}
			if err := commandline.NotTerminal(stdin); err != nil {
				return err
			}
		}
		return cmp.Or(o.check(), o.checkLink())
	}
	return o, flags
}

// check returns what is wrong with the options.
func (o *options) check() error {
	inputs := 0
	for _, name := range slices.Concat(o.files, o.against) {
		if name == "-" {
			inputs++
		}
	}
	switch {
	case o.limit != 0 && o.limit < minLimit:
		return fmt.Errorf("-limit %d is too small; the minimum is %d", o.limit, minLimit)
	case o.config != "" && o.format != "github":
		return errors.New("-config is for -format github")
	case len(o.against) > 0 && len(o.against) != len(o.files):
		return fmt.Errorf("there are %d plans, but %d approved ones; give -against once for each plan, or not at all", len(o.files), len(o.against))
	case inputs > 1:
		return errors.New("only one of the plans can be standard input")
	}
	return nil
}

// settle reads the settings, and checks them with the options.
func (o *options) settle(flags *commandline.Set) error {
	name := cmp.Or(o.settings, settingsfile.Find())
	if name == "" {
		return nil
	}
	if err := settingsfile.Apply(name, "report", flags, nil, nil); err != nil {
		return err
	}
	return flags.Check()
}

// minLimit is the least limit of a comment.
const minLimit = 2000

// checkLink returns what is wrong with the link to the run, and writes it in a form that ends
// no link in Markdown.
func (o *options) checkLink() error {
	if o.runURL == "" {
		return nil
	}
	u, err := url.Parse(o.runURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("-run-url must begin with https://, unlike %q", o.runURL)
	}
	o.runURL = quoted(u.String(), `()<>[]"'|\*_~`+"`")
	return nil
}

// marker returns the hidden line that a program finds a comment by, or "".
func (o *options) marker() string {
	if o.key == "" {
		return ""
	}
	// Nothing in a key can end a comment, or a title of a link.
	key := strings.ReplaceAll(quoted(o.key, `%<>()\`), "--", "-%2D")
	if o.place == "plain" {
		return "[//]: # (tofuwire " + key + ")"
	}
	return "<!-- tofuwire " + key + " -->"
}

// quoted writes some characters, and those that do not print, as in a URL.
func quoted(s, chars string) string {
	var b strings.Builder
	for _, c := range s {
		if !unicode.IsPrint(c) || strings.ContainsRune(chars, c) {
			for _, x := range []byte(string(c)) {
				fmt.Fprintf(&b, "%%%02X", x)
			}
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
