// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Wrapper makes a plan, judges it by policies, and applies it. It runs a real
// tofu or terraform and uses only its JSON interfaces.
//
//	wrapper [options] DIR [PLAN OPTION...]
//	wrapper -policy no-delete=aws_db_* -policy max-changes=20 ./site -var-file=prod.tfvars
//
// It applies exactly the saved plan that it judged.
//
// The exit status is 0 on success, 1 if the tool failed, 2 if wrapper was
// called wrongly or could not do its work, 3 if the run was cancelled, 4 if the
// tool died and its effects are not known, and 5 if a policy refused the plan.
//
// # The state
//
// A tool that is killed while it applies leaves objects that are in no state.
// Therefore wrapper never kills it, and prevents accidents:
//
//   - The first signal makes wrapper ask the tool to stop, once. The tool then
//     finishes what it has begun and saves the state. Further signals are not
//     passed on, because the tool exits at once when it is asked twice.
//   - The tool is in a process group of its own. Otherwise the terminal would
//     send it the same interrupt as wrapper, which makes two.
//   - The tool writes its messages to a file that wrapper follows, and not to
//     a pipe. A pipe kills its writer when its reader dies.
//   - If the tool cannot save the state, and prints it as its last resort, it is
//     put into a file at once.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planrule"
)

// The exit statuses.
const exitOK, exitFailed, exitUsage, exitCancelled, exitIncomplete, exitRefused = 0, 1, 2, 3, 4, 5

func main() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, stopSignals...)
	survivePipes()
	os.Exit(run(os.Args[1:], signals, os.Stdout, os.Stderr))
}

// run is all of wrapper. Signals are the requests to stop.
func run(args []string, signals <-chan os.Signal, stdout, stderr io.Writer) int {
	w := wrapper{out: stdout}
	flags := flag.NewFlagSet("wrapper", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("tofu", "", "the `PATH` of the tool; the default is tofu, or else terraform")
	flags.Func("policy", "a `RULE` that the plan must obey, such as no-delete=aws_db_*; may be repeated", func(text string) error {
		r, err := planrule.Parse(text)
		w.rules = append(w.rules, r)
		return err
	})
	flags.Var(&w.allow, "allow", "judge the plan despite `REASON`: "+planfile.AllowUsage+"; may be repeated")
	flags.BoolVar(&w.skipInit, "skip-init", false, "do not run init: the module is already initialized")
	flags.BoolVar(&w.dryRun, "dry-run", false, "judge the plan, but do not apply it")
	flags.StringVar(&w.keep, "keep", "", "keep the saved plan, the plan as JSON, and all messages in `FOLDER`; they can contain secrets")
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: wrapper [options] DIR [PLAN OPTION...]\n\n"+
			"Wrapper makes a plan of the module in DIR, checks it against policies, and applies it.\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, "\nRules:\n", planrule.Help())
	}
	if err := flags.Parse(args); err == flag.ErrHelp {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return exitUsage
	}
	w.dir, w.planOptions = flags.Arg(0), flags.Args()[1:]
	path, err := find(*name)
	if err == nil {
		w.tool = &tool{path: path, dir: w.dir, stderr: stderr, notify: w.say}
		go func() { // until the end of the process
			for range signals {
				w.tool.stop()
			}
		}()
		var code int
		if code, err = w.run(); err == nil {
			return code
		}
	}
	fmt.Fprintln(stderr, "wrapper:", err)
	return exitUsage
}

// find returns the absolute path of the tool, which will be started in another
// folder, where a relative path has another meaning.
func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if name == "" {
		if path, err = exec.LookPath("tofu"); err != nil {
			path, err = exec.LookPath("terraform")
		}
	}
	switch {
	case err == nil:
		return filepath.Abs(path)
	case name == "":
		return "", errors.New("neither tofu nor terraform is in the search path; use -tofu")
	}
	return "", err
}
