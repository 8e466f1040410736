// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// ModuleRedirect asks a URL that is no archive where the module is, as the tools do (GET
// with the parameter terraform-get=1), and returns the source address in the header
// X-Terraform-Get or in the element <meta name="terraform-get"> of a page. As in
// OpenTofu, the address must not be relative. The URL may have user information, which becomes
// basic authentication. The answer is not cached.
//
// The error is ErrNotFound, or ErrBadResponse if the answer names no source.
//
// See https://opentofu.org/docs/language/modules/sources/#http-urls.
func (c *Client) ModuleRedirect(ctx context.Context, source string) (string, error) {
	u, err := url.Parse(source)
	if err != nil {
		return "", &Error{Op: "modules", Err: errors.New("the source is not a URL")}
	}
	login := takeUser(u)
	if login == "" && c.DownloadAuthorization != nil {
		login = c.DownloadAuthorization(u)
	}
	asked := *u
	query := asked.Query()
	query.Add("terraform-get", "1")
	asked.RawQuery = query.Encode()
	r := request{op: "modules", url: &asked, login: login, limit: min(c.Limits.withDefaults().Metadata, maxLocation)}
	resp, err := c.get(ctx, r)
	if err != nil {
		return "", err
	}
	if resp.status < 200 || resp.status > 299 {
		return "", c.statusError(r, resp)
	}
	bad := func(format string, args ...any) (string, error) {
		return "", &Error{Op: "modules", Method: http.MethodGet, URL: displayURL(resp.url), Status: resp.status,
			Err: fmt.Errorf("%w: %s", ErrBadResponse, fmt.Sprintf(format, args...))}
	}
	to := resp.header.Get("X-Terraform-Get")
	if to == "" {
		if to, err = metaSource(resp.body); err != nil {
			return bad("%s", printable.Line(err.Error(), 200))
		}
	}
	switch {
	case to == "":
		return bad("it is no archive, and names no other source of the module (X-Terraform-Get)")
	case strings.ContainsFunc(to, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return bad("a source with control characters")
	case strings.HasPrefix(to, "/"), strings.HasPrefix(to, "./"), strings.HasPrefix(to, "../"):
		return bad("the source %q that it names is relative", printable.Line(to, 100))
	}
	return to, nil
}

// metaSource returns the content of the element meta of the name terraform-get in the head
// of a page, or "". As in the tools, the page is read as XML with errors.
func metaSource(page []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict = false
	for {
		t, err := d.Token()
		if t == nil {
			if err != nil && err.Error() != "EOF" {
				return "", fmt.Errorf("it is neither an archive nor a page that can be read: %w", err)
			}
			return "", nil
		}
		if end, ok := t.(xml.EndElement); ok && strings.EqualFold(end.Name.Local, "head") {
			return "", nil
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if strings.EqualFold(e.Name.Local, "body") {
			return "", nil
		}
		attrs := map[string]string{}
		for _, a := range e.Attr {
			attrs[strings.ToLower(a.Name.Local)] = a.Value
		}
		if strings.EqualFold(e.Name.Local, "meta") && attrs["name"] == "terraform-get" && attrs["content"] != "" {
			return attrs["content"], nil
		}
	}
}
