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
// combines [Client.Authenticate], [Client.DownloadFile] and
// [Authentication.Check]. It requests the documents and the zip at the same
// time; a bad signature ends the download.
//
// Fetch replaces an older file of that name. On any error the older file is
// untouched, no new one appears, and the error is that of one of the three
// methods. A download that breaks off leaves filename + ".new.part" for the next
// call. Concurrent calls must not use the same name.
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
	// Each error cancels the other call: the earlier one counts.
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

// Install fetches pkg, verifies it and unpacks it into the new directory dir, as
// [Client.Unpack] does. known are the hashes in a lock for the version, or empty. If
// any of them can be compared with the package, one must match. As in OpenTofu, a
// package passes if none can be compared (addrs.ErrNotVerifiable of CheckLocked); call
// [Result.CheckLocked] to detect that. The package must contain an executable of the
// provider.
//
// On any error dir is as before: it does not exist or, if the error is
// fs.ErrExist, it is untouched. The other errors are those of [Client.Fetch],
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
	if err := result.CheckLocked(known); err != nil && !errors.Is(err, addrs.ErrNotVerifiable) {
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
	if text := PluginWarning(pkg, unpacked); text != "" {
		result.Warnings = append(result.Warnings, text)
	}
	if err := os.Rename(unpacked, dir); err != nil {
		return nil, &Error{Op: "unpack", URL: dir, Err: err}
	}
	return result, nil
}

// Describe returns one line for people that says what is proven about the
// package.
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
