// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Fetch downloads the zip of pkg to the file called filename and verifies it. It
// is [Client.Authenticate], [Client.DownloadFile] and [Authentication.Check] in
// one. The documents and the zip are asked for at the same time; a bad signature
// ends the download.
//
// An older file of that name is replaced. On any error it is untouched, and no
// new one is there; the error is that of one of the three. A download that broke
// off leaves filename + ".new.part" for the next call. Two calls at the same time
// must not use the same name.
func (c *Client) Fetch(ctx context.Context, pkg *Package, filename string) (*Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var auth *Authentication
	var authErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if auth, authErr = c.Authenticate(ctx, pkg); authErr != nil {
			cancel()
		}
	}()
	// The file gets its name only after the last check.
	tmp := filename + ".new"
	d, err := c.DownloadFile(ctx, pkg, tmp)
	if err != nil {
		cancel()
	}
	<-done
	// Each error cancels the other call: the one that came first counts.
	if authErr != nil && (err == nil || !errors.Is(authErr, context.Canceled)) {
		os.Remove(tmp)
		return nil, authErr
	}
	if err != nil {
		return nil, err
	}
	result, err := c.checkFile(ctx, auth, d, tmp)
	if err == nil {
		if err = os.Rename(tmp, filename); err != nil {
			err = &Error{Op: "download", URL: filename, Err: err}
		}
	}
	if err != nil {
		os.Remove(tmp)
		return nil, err
	}
	return result, nil
}

// checkFile hashes the downloaded file and compares.
func (c *Client) checkFile(ctx context.Context, auth *Authentication, d *Download, filename string) (*Result, error) {
	f, err := os.Open(filename)
	if err != nil {
		return nil, &Error{Op: "download", URL: filename, Err: err}
	}
	defer f.Close()
	h1, err := c.h1(ctx, f, d.Size)
	if err != nil {
		return nil, &Error{Op: "unpack", URL: auth.Package.location(), Err: err}
	}
	return auth.Check(append(h1, d.Hash())...)
}

// Install fetches pkg, verifies it and unpacks it into the new directory dir,
// as [Client.Unpack] does. known are the hashes that a lock has for the
// version, or nothing: if one of them can be compared, one must match. As in
// OpenTofu, a package that none of them can be compared with (ErrNotVerifiable of
// CheckLocked) passes; call [Result.CheckLocked] to know. The package must contain an executable of the provider.
//
// On any error dir is as it was before: not there, or, if the error is
// fs.ErrExist, something else. The other errors are those of [Client.Fetch],
// [Result.CheckLocked], [Client.Unpack] and [FindExecutable].
func (c *Client) Install(ctx context.Context, pkg *Package, dir string, known []addrs.Hash) (*Result, error) {
	if pkg == nil {
		return nil, &Error{Op: "unpack", Err: errNoPackage}
	}
	if pkg.Unpacked {
		return nil, &Error{Op: "unpack", URL: pkg.Path, Err: errors.New("the package is unpacked already")}
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Op: "unpack", URL: dir, Err: cmp.Or(err, fs.ErrExist)}
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".zip-")
	if err != nil {
		return nil, &Error{Op: "unpack", URL: dir, Err: err}
	}
	defer os.RemoveAll(tmp)
	zip := filepath.Join(tmp, "package.zip")
	result, err := c.Fetch(ctx, pkg, zip)
	if err != nil {
		return nil, err
	}
	if err := result.CheckLocked(known); err != nil && !errors.Is(err, ErrNotVerifiable) {
		return nil, err
	}
	f, err := os.Open(zip)
	if err != nil {
		return nil, &Error{Op: "unpack", URL: dir, Err: err}
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, &Error{Op: "unpack", URL: dir, Err: err}
	}
	unpacked := filepath.Join(tmp, "package")
	if err := c.Unpack(ctx, f, size, unpacked); err != nil {
		return nil, err
	}
	if _, err := FindExecutable(unpacked, pkg.Provider.Type()); err != nil {
		return nil, err
	}
	if err := os.Rename(unpacked, dir); err != nil {
		return nil, &Error{Op: "unpack", URL: dir, Err: err}
	}
	return result, nil
}

// Describe says in one line, for people, what is proven about the package.
func (r *Result) Describe() string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	switch r.Proof {
	case Signed:
		fmt.Fprintf(&b, "signed by %s", r.Signer.KeyID)
		if r.Signer.Identity != "" {
			fmt.Fprintf(&b, " (%s)", r.Signer.Identity)
		}
		if r.Signer.Pinned {
			b.WriteString(", a pinned key")
		}
	case ChecksumOnly:
		fmt.Fprintf(&b, "checksum of the %s, not signed", r.Package.Origin)
	default:
		b.WriteString("nothing to compare with")
	}
	return b.String()
}
