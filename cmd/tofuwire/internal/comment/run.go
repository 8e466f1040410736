// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package comment is the subcommand comment of tofuwire: the report of plans as one comment of a
// pull request, which is replaced by the next run, and as the summary of a job.
package comment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planreport"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/settingsfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var usage = commandline.Text{
	Arguments: "PLAN...",
	Files:     planfile.Endings,
	About: `
Comment writes a report of plans as one comment on the pipeline's pull request or merge request,
and replaces the comment of the previous run. On GitHub it also adds the report to the job summary,
annotates the run, and sets the outputs comment-url, errored, changes (counts, as JSON) and path.

A PLAN is the output of "show -json PLANFILE", a log that contains it, or a saved plan. It can be a
pattern with *, ? and [...], and ** for any number of folders; a pattern that matches nothing is an
error. Values that the plans mark as sensitive are hidden, and so are copies of them. The comment
also lists plans that cannot be read, so an old comment is always replaced.

Comment finds the pull request through environment variables: GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_REF
and GITHUB_API_URL, or GITLAB_CI with CI_API_V4_URL, CI_PROJECT_ID and CI_MERGE_REQUEST_IID. The
token is TOFUWIRE_TOKEN, or else GITHUB_TOKEN or GITLAB_TOKEN. If there is no pull request or token,
or if the token has no write access because the commits come from a fork, no comment is written and
the exit status does not change.`,
	Exit: `
0 the plans were reported
1 as -fail-on specifies
2 a plan could not be read, or the comment not written; or a usage error`,
	Example: "tofuwire comment -fail-on cannot-judge,destroy 'plans/**/*.json'",
}

// name is what messages begin with.
const name = "tofuwire comment"

// verdicts are the words of -fail-on.
var verdicts = []string{"cannot-judge", "destroy", "replace", "difference", "none"}

// Options are what the command line says.
type options struct {
	key, title, runURL, out, counts, config string
	failOn, against, plans                  []string
	reveal, comment, summary                bool
	inputs                                  planfile.Inputs
	limit, settings                         string
	selection                               planreport.Selection
}

// newOptions returns the options of a command line.
func newOptions() (*options, *commandline.Set) {
	o := &options{}
	flags := commandline.New("tofuwire comment", usage)
	flags.StringVar(&o.key, "key", "", "the `KEY` that distinguishes comments on one pull request; the default is the working folder")
	flags.StringVar(&o.title, "title", "", "the heading `TEXT`")
	flags.StringVar(&o.runURL, "run-url", "", "the link to the run, `URL`; by default that of the pipeline")
	flags.Strings(&o.against, "against", "the plan `APPROVED`; give it once for each plan, or not at all")
	flags.BoolVar(&o.reveal, "reveal", false, "show sensitive values")
	flags.StringVar(&o.config, "config", "", "in GitHub Actions, annotate the blocks of the configuration in `DIR` whose objects change")
	o.inputs.Register(flags)
	flags.Func("fail-on", "exit with status 1 in the cases of `LIST`, separated by commas: cannot-judge (the default: planning failed, or the plan is incomplete, redacted and so on), destroy, replace, difference (from the approved plan); or none", func(list string) error {
		o.failOn = []string{}
		for word := range strings.SplitSeq(list, ",") {
			if word = strings.TrimSpace(word); word != "" && !slices.Contains(verdicts, word) {
				return commandline.Unknown("case", word, verdicts)
			}
			o.failOn = append(o.failOn, word)
		}
		return nil
	})
	flags.OfferList("fail-on", func() []string { return verdicts })
	flags.BoolVar(&o.comment, "comment", true, "write a comment")
	flags.BoolVar(&o.summary, "summary", true, "write a job summary")
	flags.StringVar(&o.out, "out", "", "also write the comment's Markdown to `FILE`")
	flags.StringVar(&o.counts, "counts", "", "write the numbers of changes to `FILE` in the form of GitLab's report \"terraform\"")
	o.selection.Register(flags)
	flags.StringVar(&o.settings, "settings", "", "settings in `FILE`; of its block report, format and for are ignored. Options of the command line take precedence")
	flags.StringVar(&o.limit, "limit", "", "at most `N` characters; see report")
	flags.Check = func() error {
		if o.plans = flags.Args(); o.failOn == nil {
			o.failOn = verdicts[:1]
		}
		if o.fails("difference") && len(o.against) == 0 {
			return errors.New("-fail-on difference needs -against APPROVED")
		}
		return nil
	}
	return o, flags
}

// fails reports whether -fail-on has a word.
func (o *options) fails(word string) bool { return slices.Contains(o.failOn, word) }

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return program{environmentOf(os.Getenv), stdin, stdout, stderr, time.Second}.run(args)
}

// A program is one run.
type program struct {
	environment
	stdin          io.Reader
	stdout, stderr io.Writer
	pause          time.Duration // before a request is repeated
}

func (p program) run(args []string) int {
	o, flags := newOptions()
	if status, ok := flags.Parse(args, p.stdout, p.stderr); !ok {
		return status
	}
	if o.settings != "" {
		if err := settingsfile.Apply(o.settings, "report", flags, nil, []string{"format", "for"}); err != nil {
			return commandline.Fail(name, err, p.stderr)
		}
	}
	if o.config != "" {
		if err := configdir.Check(o.config, false); err != nil {
			return commandline.Fail(name, fmt.Errorf("-config: %w", err), p.stderr)
		}
	}
	o.key = cmp.Or(o.key, p.folder())
	o.runURL = cmp.Or(o.runURL, p.runURL())
	r := p.report(o)
	status := p.judge(o, r)
	if err := p.publish(o, r); err != nil {
		fmt.Fprintf(p.stderr, name+": %s\n", commandline.Message(err))
		p.annotate("error", commandline.Message(err))
		return 2
	}
	if o.config != "" && p.isGitHub && r.summary != nil {
		if err := r.summary.Annotate(p.stdout, o.config); err != nil {
			planfile.Report(p.stderr, name, err)
			return 2
		}
	}
	return status
}

// report has planreport write the comment.
func (p program) report(o *options) *report {
	place := "github"
	if p.isGitLab {
		place = "gitlab"
	}
	args := []string{"-format", "md", "-for", place, "-key", o.key}
	if o.title != "" {
		args = append(args, "-title", o.title)
	}
	if o.runURL != "" {
		args = append(args, "-run-url", o.runURL)
	}
	if o.limit != "" {
		args = append(args, "-limit", o.limit)
	}
	for _, word := range o.selection.Only {
		args = append(args, "-only", word)
	}
	for _, pattern := range o.selection.Address {
		args = append(args, "-address", pattern)
	}
	if o.reveal {
		args = append(args, "-reveal")
	}
	for _, file := range o.against {
		args = append(args, "-against", file)
	}
	r := &report{}
	var text, faults bytes.Buffer
	log := io.MultiWriter(&faults, p.stderr)
	plans, err := expand(o.plans)
	if err != nil { // the comment of the run before must not stay
		fmt.Fprintf(p.stderr, name+": %s\n", commandline.Message(err))
		r.text = unreadable(planreport.Marker(place, o.key), o, commandline.Message(err))
		return r
	}
	for _, file := range o.inputs.Schemas {
		args = append(args, "-schemas", file)
	}
	if o.inputs.Passphrase != "" {
		args = append(args, "-passphrase-file", o.inputs.Passphrase)
	}
	r.summary, err = planreport.Summarized(name, append(append(args, "--"), plans...), p.stdin, &text, log)
	if err != nil {
		planfile.Report(log, name, err)
		said := strings.ReplaceAll("\n"+faults.String(), "\n"+name+": ", "\n")
		r.text = unreadable(planreport.Marker(place, o.key), o, said)
		return r
	}
	r.text = text.String()
	return r
}

// unreadable returns the comment about plans that could not be read.
func unreadable(marker string, o *options, faults string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n## %s\n\n**The plan could not be read.** Nothing is known of what would change.\n\n", marker, escape(titleOf(o)))
	fmt.Fprintf(&b, "<pre>%s</pre>\n", escape(strings.TrimSpace(faults)))
	if u, err := url.Parse(o.runURL); o.runURL != "" && err == nil {
		fmt.Fprintf(&b, "\n<a href=\"%s\">Run</a>\n", escape(u.String()))
	}
	return b.String()
}

// escape returns text that means nothing but itself in Markdown and HTML.
func escape(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\n' || c == ' ' || unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(c)
		case unicode.IsPrint(c):
			fmt.Fprintf(&b, "&#%d;", c)
		}
	}
	return b.String()
}

func titleOf(o *options) string {
	if o.title != "" {
		return o.title
	}
	return "Plan"
}

// publish writes the comment where it belongs, and the outputs.
func (p program) publish(o *options, r *report) error {
	if o.out != "" {
		if err := os.WriteFile(o.out, []byte(r.text), 0o666); err != nil {
			return err
		}
	}
	if o.counts != "" {
		if err := r.saveCounts(o.counts); err != nil {
			return err
		}
	}
	if file := p.get("GITHUB_STEP_SUMMARY"); o.summary && file != "" {
		if err := appendTo(file, r.text+"\n"); err != nil {
			return err
		}
	}
	address := ""
	var err error
	if o.comment {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		address, err = p.post(ctx, r)
	}
	if address != "" {
		fmt.Fprintf(p.stdout, "comment: %s\n", address)
	}
	return errors.Join(err, p.outputs(o, r, address))
}

// post writes the comment on the pull request.
func (p program) post(ctx context.Context, r *report) (string, error) {
	request, err := p.request()
	if err != nil {
		return "", err
	}
	token := p.token()
	switch {
	case request.number == 0:
		p.say("there is no pull request, so there is no comment")
		return "", nil
	case token == "":
		p.say("there is no token, so there is no comment")
		return "", nil
	}
	f, err := p.forge(request.number, token)
	if err != nil {
		return "", err
	}
	f.pause = p.pause
	address, err := f.put(ctx, strings.TrimSpace(firstLine(r.text)), r.text)
	if errors.Is(err, errForbidden) && request.isFork {
		p.say("the commits come from a fork, and the token may not write a comment")
		return "", nil
	}
	return address, err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// say tells people what was not done, and that it is no fault.
func (p program) say(text string) {
	fmt.Fprintf(p.stderr, name+": %s\n", text)
	p.annotate("notice", text)
}

// appendTo adds text to a file.
func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
