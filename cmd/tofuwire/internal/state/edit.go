// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// edit reads the state, changes it and saves it.
func edit(c *call, operation string, change func(f *statefile.File) error) error {
	name := c.args[0]
	if name == "-" && c.out == "" {
		return unreadable(errors.New("standard input cannot be replaced; use -out FILE"))
	}
	f, err := c.file(name)
	if err != nil {
		return err
	}
	serial := f.Serial
	if err := change(f); err != nil {
		return refused(err)
	}
	if f.Serial == serial {
		return nil // nothing changed
	}
	if c.out == "-" {
		return statefile.Write(c.stdout, f)
	}
	if c.out != "" {
		name = c.out
	}
	if _, err := statefile.Save(context.Background(), name, f, operation); err != nil {
		return no("%s: %w", name, err)
	}
	return nil
}

// refused returns the error of an edit or a save with its status.
func refused(err error) error {
	if _, ok := errors.AsType[*exit](err); ok {
		return err
	}
	return no("%w", err)
}

func target(text string) (addrs.Target, error) {
	t, err := addrs.ParseTarget(text)
	if err != nil {
		return t, no("%w", err)
	}
	return t, nil
}

// checkMove returns what is wrong with the options of mv together.
func (c *call) checkMove(flags *commandline.Set) error {
	switch between := c.to != ""; {
	case !between && (c.tool != "" || c.passphrase != "" || c.config != ""):
		return errors.New("-tool, -passphrase-file and -config are for -to")
	case !between && flags.NArg() != 3:
		return errors.New("DESTINATION is missing; \"tofuwire state mv -h\" explains the arguments")
	case between && c.out != "":
		return errors.New("-to and -out cannot be combined")
	case between && (flags.Arg(0) == "-" || c.to == "-"):
		return errors.New("standard input cannot be replaced")
	}
	return nil
}

func move(c *call) error {
	if c.to != "" {
		return moveBetween(c)
	}
	return edit(c, "state-mv", func(f *statefile.File) error {
		from, err := target(c.args[1])
		if err != nil {
			return err
		}
		to, err := target(c.args[2])
		if err != nil {
			return err
		}
		return f.Move(from, to)
	})
}

func remove(c *call) error {
	return edit(c, "state-rm", func(f *statefile.File) error {
		var targets []addrs.Target
		for _, text := range c.args[1:] {
			t, err := target(text)
			if err != nil {
				return err
			}
			targets = append(targets, t)
		}
		return f.Remove(targets...)
	})
}

func replaceProvider(c *call) error {
	said := ""
	err := edit(c, "state-replace-provider", func(f *statefile.File) error {
		from, err := provider(f, c.args[1], "")
		if err != nil {
			return err
		}
		to, err := provider(f, c.args[2], c.args[1])
		if err != nil {
			return err
		}
		n, err := f.ReplaceProvider(from, to)
		switch {
		case err != nil:
		case n == 0:
			fmt.Fprintln(c.stderr, "No matching resources found.")
		default:
			said = fmt.Sprintf("Successfully replaced provider for %d resources.", n)
		}
		return err
	})
	if err == nil && said != "" {
		fmt.Fprintln(c.stderr, said)
	}
	return err
}

// provider reads the address of a provider. Without a host it is that of the registry
// that most providers of the state come from, or of Terraform's if from is one of its
// old addresses, which OpenTofu does not know.
func provider(f *statefile.File, text, from string) (addrs.Provider, error) {
	if strings.Count(text, "/") < 2 {
		terraform := 0
		if strings.HasPrefix(from, "registry.terraform.io/-/") {
			terraform = len(f.Resources) + 1
		}
		for _, r := range f.Resources {
			switch {
			case strings.Contains(r.Provider, `"registry.terraform.io/`):
				terraform++
			case strings.Contains(r.Provider, `"registry.opentofu.org/`):
				terraform--
			}
		}
		if terraform > 0 {
			if !strings.Contains(text, "/") {
				text = "hashicorp/" + text
			}
			text = "registry.terraform.io/" + text
		}
	}
	p, err := addrs.ParseProvider(text)
	if err != nil {
		return p, no("%w", err)
	}
	return p, nil
}

func taint(c *call) error {
	return edit(c, "taint", func(f *statefile.File) error {
		a, err := addrs.ParseAbsResourceInstance(c.args[1])
		if err != nil {
			return no("%w", err)
		}
		return f.SetTainted(a, true)
	})
}

func untaint(c *call) error {
	return edit(c, "untaint", func(f *statefile.File) error {
		a, err := addrs.ParseAbsResourceInstance(c.args[1])
		if err != nil {
			return no("%w", err)
		}
		return f.SetTainted(a, false)
	})
}
