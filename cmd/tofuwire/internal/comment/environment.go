// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package comment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/lazy"
)

// An environment is what the variables of a pipeline say.
type environment struct {
	get      func(string) string
	isGitHub bool
	isGitLab bool
}

// environmentOf reads which pipeline this is.
func environmentOf(get func(string) string) environment {
	isGitLab := get("GITLAB_CI") == "true"
	return environment{get: get, isGitHub: !isGitLab && (get("GITHUB_ACTIONS") == "true" || get("GITHUB_REPOSITORY") != ""), isGitLab: isGitLab}
}

// An event is the part of GitHub's event file that says what the run is about.
type event struct {
	Number      int `json:"number"`
	PullRequest *struct {
		Number int `json:"number"`
		Head   struct {
			Repo *struct {
				FullName string `json:"full_name"`
			} `json:"repo"`
		} `json:"head"`
	} `json:"pull_request"`
	Issue *struct {
		Number      int              `json:"number"`
		PullRequest *json.RawMessage `json:"pull_request"`
	} `json:"issue"`
}

// A request is a pull request or merge request.
type request struct {
	number int  // 0 if the pipeline is about none
	isFork bool // whether its commits are in another repository, so that tokens may not write
}

var mergeRef = lazy.Regexp(`^refs/pull/([0-9]+)/(?:merge|head)$`)

// request says which pull request the pipeline is about.
func (e environment) request() (request, error) {
	switch {
	case e.isGitLab:
		text := e.get("CI_MERGE_REQUEST_IID")
		if text == "" {
			return request{}, nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return request{}, fmt.Errorf("CI_MERGE_REQUEST_IID is %q, not a number", text)
		}
		source := e.get("CI_MERGE_REQUEST_SOURCE_PROJECT_ID")
		return request{n, source != "" && source != e.get("CI_PROJECT_ID")}, nil
	case e.isGitHub:
		return e.pullRequest()
	}
	return request{}, nil
}

// pullRequest reads GitHub's event file.
func (e environment) pullRequest() (request, error) {
	var ev event
	if name := e.get("GITHUB_EVENT_PATH"); name != "" {
		src, err := os.ReadFile(name)
		if err != nil {
			return request{}, fmt.Errorf("GITHUB_EVENT_PATH: %w", err)
		}
		if err := json.Unmarshal(src, &ev); err != nil {
			return request{}, fmt.Errorf("GITHUB_EVENT_PATH: %s: %w", name, err)
		}
	}
	switch {
	case ev.PullRequest != nil:
		head := ev.PullRequest.Head.Repo
		isFork := head == nil || !strings.EqualFold(head.FullName, e.get("GITHUB_REPOSITORY"))
		return request{cmp.Or(ev.PullRequest.Number, ev.Number), isFork}, nil
	case ev.Issue != nil && ev.Issue.PullRequest != nil:
		return request{ev.Issue.Number, false}, nil
	}
	if m := mergeRef().FindStringSubmatch(e.get("GITHUB_REF")); m != nil {
		n, err := strconv.Atoi(m[1])
		return request{n, false}, err
	}
	return request{}, nil
}

// token returns the token of the forge, or nothing.
func (e environment) token() string {
	if e.isGitLab {
		return cmp.Or(e.get("TOFUWIRE_TOKEN"), e.get("GITLAB_TOKEN"))
	}
	return cmp.Or(e.get("TOFUWIRE_TOKEN"), e.get("GITHUB_TOKEN"))
}

// forge returns where comments on the request go.
func (e environment) forge(number int, token string) (*forge, error) {
	var missing []string
	need := func(name string) string {
		v := e.get(name)
		if v == "" {
			missing = append(missing, name)
		}
		return v
	}
	var f *forge
	if e.isGitLab {
		page := ""
		if project := e.get("CI_MERGE_REQUEST_PROJECT_URL"); project != "" {
			page = project + "/-/merge_requests/" + strconv.Itoa(number)
		}
		f = newGitLab(need("CI_API_V4_URL"), need("CI_PROJECT_ID"), number, token, page)
	} else {
		f = newGitHub(cmp.Or(e.get("GITHUB_API_URL"), "https://api.github.com"), need("GITHUB_REPOSITORY"), number, token)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s must be set", strings.Join(missing, " and "))
	}
	return f, nil
}

// runURL returns the address of the run for people, or nothing.
func (e environment) runURL() string {
	if e.isGitLab {
		return e.get("CI_JOB_URL")
	}
	server, repository, run := e.get("GITHUB_SERVER_URL"), e.get("GITHUB_REPOSITORY"), e.get("GITHUB_RUN_ID")
	if server == "" || repository == "" || run == "" {
		return ""
	}
	return server + "/" + repository + "/actions/runs/" + run
}

// folder returns the working folder, as seen from the root of the checkout.
func (e environment) folder() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		root := e.get(name)
		if root == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real
		}
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.Base(dir)
}
