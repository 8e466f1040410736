// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Pictures makes the pictures in the README and in docs/pull-requests.md from the recordings beside it: a comment
// on a pull request, the page, and the progress of a run in a terminal, each light and dark. All of them show what
// the program prints.
//
//	go run ./docs/pictures
//
// It is to be started in the top folder, and needs Chromium and tmux on PATH; without Chromium it says so
// and changes nothing.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const folder = "docs/pictures"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// A picture is a page to be photographed.
type picture struct {
	name          string
	width, height int
	page          func() (string, error) // of HTML
}

func run() error {
	browser, err := chromium()
	if err != nil {
		fmt.Println("no pictures:", err)
		return nil
	}
	scratch, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for _, p := range []picture{
		{"comment", 880, 545, commentPage},
		{"page", 880, 620, reportPage},
		{"watch", 880, 250, watchPage},
	} {
		html, err := p.page()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		source := filepath.Join(scratch, p.name+".html")
		if err := os.WriteFile(source, []byte(html), 0o600); err != nil {
			return err
		}
		for suffix, scheme := range map[string]string{"": "1", "-dark": "0"} {
			shot := filepath.Join(scratch, p.name+suffix+".png")
			c := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+filepath.Join(scratch, "profile"),
				"--blink-settings=preferredColorScheme="+scheme, fmt.Sprintf("--window-size=%d,%d", p.width, p.height), "--screenshot="+shot, "file://"+filepath.ToSlash(source))
			if out, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", p.name, err, out)
			}
			if err := shrink(shot, filepath.Join(folder, p.name+suffix+".png")); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// chromium returns the path of the browser.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no Chromium on PATH")
}

// program runs a subcommand and returns its standard output, whatever its exit status.
func program(name string, args ...string) (string, error) {
	c := exec.Command("go", append([]string{"run", ".", name}, args...)...)
	c.Dir = "cmd/tofuwire"
	out, err := c.Output()
	if len(out) == 0 && err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(out), nil
}

// commentPage is the comment as a forge shows it.
func commentPage() (string, error) {
	text, err := program("report", "-format", "md", "-title", "Plan for shop", "../../"+folder+"/shop/plan.json")
	if err != nil {
		return "", err
	}
	return layout(`<div class="comment"><div class="head"><b>github-actions</b> bot commented</div><div class="body">` + rendered(text) + `</div></div>`), nil
}

// reportPage is the page of planreport.
func reportPage() (string, error) {
	return program("report", "-format", "html", "-title", "Plan for shop", "../../"+folder+"/shop/plan.json")
}
