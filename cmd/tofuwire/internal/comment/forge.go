// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package comment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A note is a comment as a forge returns it.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	URL    string `json:"html_url"` // of GitHub
	System bool   `json:"system"`   // of GitLab: written by GitLab itself
}

// A forge is where comments of one pull request are kept. Both forges list and change them in the
// same way.
type forge struct {
	name   string
	client *http.Client
	header http.Header
	list   string // the address of all comments; new ones are sent there too
	change string // the address of one comment begins with it
	method string // for changing one
	page   func(note) string
	pause  time.Duration // before the first retry
}

// errForbidden is the error for a token that may read but not write.
var errForbidden = errors.New("the token may not read or write comments")

const (
	perPage   = 100
	pageLimit = 100      // of pages: a pull request with more comments than that is refused
	bodyLimit = 32 << 20 // of bytes in one answer
	tries     = 4
	longest   = 60 * time.Second // for which a server may ask to wait
)

// newGitHub returns the comments of a pull request of GitHub, or of a server of one's own.
func newGitHub(api, repository string, number int, token string) *forge {
	base := strings.TrimSuffix(api, "/") + "/repos/" + repository + "/issues/"
	return &forge{
		name:   "GitHub",
		client: &http.Client{Timeout: 30 * time.Second},
		header: http.Header{"Authorization": {"Bearer " + token}, "Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}},
		list:   base + strconv.Itoa(number) + "/comments",
		change: base + "comments/",
		method: http.MethodPatch,
		page:   func(n note) string { return n.URL },
		pause:  time.Second,
	}
}

// newGitLab returns the notes of a merge request of GitLab. Page is its address for people.
func newGitLab(api, project string, number int, token, page string) *forge {
	notes := strings.TrimSuffix(api, "/") + "/projects/" + project + "/merge_requests/" + strconv.Itoa(number) + "/notes"
	return &forge{
		name:   "GitLab",
		client: &http.Client{Timeout: 30 * time.Second},
		header: http.Header{"Private-Token": {token}},
		list:   notes,
		change: notes + "/",
		method: http.MethodPut,
		page: func(n note) string {
			if page == "" {
				return ""
			}
			return page + "#note_" + strconv.FormatInt(n.ID, 10)
		},
		pause: time.Second,
	}
}

// put replaces the comment that has the marker as a line of its own, or adds one. It returns the
// address of the comment.
func (f *forge) put(ctx context.Context, marker, body string) (string, error) {
	old, err := f.find(ctx, marker)
	switch {
	case isStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound):
		return "", fmt.Errorf("%w: %w", errForbidden, err)
	case err != nil:
		return "", fmt.Errorf("listing comments: %w", err)
	}
	message, err := json.Marshal(map[string]string{"body": body})
	if err != nil {
		return "", err
	}
	for _, n := range old {
		answer, err := f.send(ctx, f.method, f.change+strconv.FormatInt(n.ID, 10), message)
		switch {
		case isStatus(err, http.StatusForbidden, http.StatusNotFound): // somebody else's, or it is gone
			continue
		case err != nil:
			return "", fmt.Errorf("changing comment %d: %w", n.ID, err)
		}
		return f.address(answer)
	}
	answer, err := f.send(ctx, http.MethodPost, f.list, message)
	switch {
	case isStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound):
		return "", fmt.Errorf("%w: %w", errForbidden, err)
	case err != nil:
		return "", fmt.Errorf("adding a comment: %w", err)
	}
	return f.address(answer)
}

// address returns the address of the comment that an answer has.
func (f *forge) address(answer []byte) (string, error) {
	var n note
	if err := json.Unmarshal(answer, &n); err != nil {
		return "", fmt.Errorf("%s: the response is not a comment: %w", f.name, err)
	}
	return f.page(n), nil
}

// find returns the comments that have the marker as a line, oldest first.
func (f *forge) find(ctx context.Context, marker string) ([]note, error) {
	var found []note
	for page := 1; page <= pageLimit; page++ {
		answer, err := f.send(ctx, http.MethodGet, fmt.Sprintf("%s?per_page=%d&page=%d&sort=asc", f.list, perPage, page), nil)
		if err != nil {
			return nil, err
		}
		var notes []note
		if err := json.Unmarshal(answer, &notes); err != nil {
			return nil, fmt.Errorf("%s: the response is not a list of comments: %w", f.name, err)
		}
		for _, n := range notes {
			if !n.System && hasLine(n.Body, marker) {
				found = append(found, n)
			}
		}
		if len(notes) < perPage {
			return found, nil
		}
	}
	return nil, fmt.Errorf("there are more than %d comments", perPage*pageLimit)
}

// hasLine reports whether a line of a text is the given one.
func hasLine(text, line string) bool {
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// A statusError is the answer of a forge that refuses.
type statusError struct {
	forge, status, message string
	code                   int
}

func (e *statusError) Error() string {
	if e.message == "" {
		return fmt.Sprintf("%s answers %s", e.forge, e.status)
	}
	return fmt.Sprintf("%s answers %s: %s", e.forge, e.status, e.message)
}

// isStatus reports whether err is an answer with one of the codes.
func isStatus(err error, codes ...int) bool {
	var e *statusError
	if errors.As(err, &e) {
		for _, code := range codes {
			if e.code == code {
				return true
			}
		}
	}
	return false
}

// send sends a request and returns the body of the answer. It tries again where nothing can have
// happened twice: after an answer that asks for patience, and after faults of the network unless a
// comment is added.
func (f *forge) send(ctx context.Context, method, address string, message []byte) ([]byte, error) {
	pause := f.pause
	for try := 1; ; try++ {
		answer, wait, err := f.once(ctx, method, address, message)
		if err == nil || try == tries || wait < 0 {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(pause, wait)):
		}
		pause *= 2
	}
}

// once sends a request once. The duration is negative if trying again is of no use, or not safe.
func (f *forge) once(ctx context.Context, method, address string, message []byte) ([]byte, time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(message))
	if err != nil {
		return nil, -1, err
	}
	request.Header = f.header.Clone()
	request.Header.Set("User-Agent", "tofuwire")
	if message != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	again := time.Duration(0)
	if method == http.MethodPost {
		again = -1
	}
	response, err := f.client.Do(request)
	if err != nil {
		return nil, again, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, bodyLimit+1))
	switch {
	case err != nil:
		return nil, again, err
	case len(answer) > bodyLimit:
		return nil, -1, fmt.Errorf("%s: the response has more than %d bytes", f.name, bodyLimit)
	case response.StatusCode/100 == 2:
		return answer, 0, nil
	}
	refused := &statusError{forge: f.name, status: response.Status, code: response.StatusCode, message: messageOf(answer)}
	wait, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	asked := time.Duration(wait) * time.Second
	switch {
	case asked > longest || asked < 0:
		return nil, -1, refused
	case response.StatusCode == http.StatusTooManyRequests, response.StatusCode == http.StatusForbidden && asked > 0:
		return nil, asked, refused
	case response.StatusCode >= 500 && method != http.MethodPost:
		return nil, asked, refused
	}
	return nil, -1, refused
}

// messageOf returns what a forge says of a refusal, in one line.
func messageOf(answer []byte) string {
	var said struct {
		Message any `json:"message"`
		Error   any `json:"error"`
	}
	if json.Unmarshal(answer, &said) != nil {
		return ""
	}
	for _, x := range []any{said.Message, said.Error} {
		if x != nil {
			return strings.Join(strings.Fields(fmt.Sprint(x)), " ")
		}
	}
	return ""
}
