// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// Git fetches modules of Git repositories with the program git.
type Git struct {
	Environ []string // of the program
}

// Fetch writes the package of src into the new directory dir.
func (g Git) Fetch(ctx context.Context, src addrs.ModuleSource, dir string) error {
	text, isGit := strings.CutPrefix(src.Package(), "git::")
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("the source is not a URL") // it may have a password in it
	case isGit:
		return g.clone(ctx, u, dir)
	}
	return fmt.Errorf("modules cannot be fetched by %s", u.Scheme)
}

// clone clones a repository. The query has the wanted ref.
func (g Git) clone(ctx context.Context, u *url.URL, dir string) error {
	query := u.Query()
	ref := query.Get("ref")
	depth, _ := strconv.Atoi(query.Get("depth")) // like the tools, all that is no depth is none
	for name := range query {
		if name != "ref" && name != "depth" {
			return fmt.Errorf("the argument %q of a Git source is not supported", name)
		}
	}
	if strings.HasPrefix(ref, "-") {
		return errors.New("the ref of the source is not valid")
	}
	plain := *u
	plain.RawQuery = ""
	args := []string{"clone", "--quiet"}
	if depth > 0 {
		args = append(args, "--depth="+strconv.Itoa(depth))
		if ref != "" {
			args = append(args, "--branch="+ref)
		}
	}
	if err := g.run(ctx, "", append(args, "--", plain.String(), dir)...); err != nil {
		return err
	}
	if ref != "" && depth <= 0 {
		// A branch of the repository has its name with "origin/" only.
		if err := g.run(ctx, dir, "checkout", "--quiet", "--detach", ref, "--"); err != nil {
			if g.run(ctx, dir, "checkout", "--quiet", "--detach", "origin/"+ref, "--") != nil {
				return err
			}
		}
	}
	return g.run(ctx, dir, "submodule", "--quiet", "update", "--init", "--recursive")
}

// run runs git, which must not ask anybody.
func (g Git) run(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(append([]string{}, g.Environ...), "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=https:ssh:git:file")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, printable.URLs(strings.TrimSpace(string(out))))
	}
	return nil
}
