// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package comment

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planreport"
)

// A report is the comment, and what it says in numbers.
type report struct {
	text    string
	summary *planreport.Summary // nil if a plan could not be read
}

// judge returns the exit status, and says why it is not 0. It annotates the run with what
// reviewers must not overlook.
func (p program) judge(o *options, r *report) int {
	if r.summary == nil {
		p.annotate("error", "A plan could not be read.")
		return 2
	}
	status := 0
	fail := func(word, text string) {
		if o.fails(word) {
			fmt.Fprintf(p.stderr, name+": %s\n", text)
			status = 1
		}
	}
	s := r.summary
	if s.Errored {
		p.annotate("error", "Planning failed.")
	}
	for _, plan := range s.Plans {
		name := ""
		if len(s.Plans) > 1 {
			name = plan.Name + ": "
		}
		if len(plan.Reasons) > 0 {
			text := name + "the plan cannot be judged: " + strings.Join(plan.Reasons, ", ")
			fail("cannot-judge", text)
			p.annotate("warning", text)
		}
		c := plan.Changes
		if c.Destroy > 0 {
			fail("destroy", fmt.Sprintf("%s%d to destroy", name, c.Destroy))
			p.annotate("warning", name+plan.Headline)
		}
		if c.Replace > 0 {
			fail("replace", fmt.Sprintf("%s%d to replace", name, c.Replace))
		}
		if plan.Differences != nil && *plan.Differences > 0 {
			text := fmt.Sprintf("%sthe plan differs from the approved one in %d places", name, *plan.Differences)
			fail("difference", text)
			p.annotate("warning", text)
		}
	}
	return status
}

// annotate writes an annotation of GitHub.
func (p program) annotate(level, text string) {
	if !p.isGitHub {
		return
	}
	fmt.Fprintf(p.stdout, "::%s title=tofuwire::%s\n", level, strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text))
}

// saveCounts writes what GitLab shows in its own widget. Nothing is written about plans that
// could not be read.
func (r *report) saveCounts(name string) error {
	if r.summary == nil {
		return nil
	}
	c := r.summary.Changes
	text, err := json.Marshal(map[string]int{"create": c.Add, "update": c.Change, "delete": c.Destroy})
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}

// outputs sets the outputs of GitHub's step.
func (p program) outputs(o *options, r *report, address string) error {
	name := p.get("GITHUB_OUTPUT")
	if name == "" {
		return nil
	}
	errored, changes := true, []byte("null")
	if r.summary != nil {
		var err error
		if changes, err = json.Marshal(r.summary.Changes); err != nil {
			return err
		}
		errored = r.summary.Errored
	}
	path := o.out
	if abs, err := filepath.Abs(path); path != "" && err == nil {
		path = abs
	}
	var b strings.Builder
	for _, row := range [][2]string{{"comment-url", address}, {"errored", fmt.Sprint(errored)}, {"changes", string(changes)}, {"path", path}} {
		// The value of an output ends with its line.
		fmt.Fprintf(&b, "%s=%s\n", row[0], strings.NewReplacer("\r", "", "\n", "").Replace(row[1]))
	}
	return appendTo(name, b.String())
}
