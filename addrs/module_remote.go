// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"errors"
	"net/url"
	"path"
	"strings"
)

// remoteSource returns the normal form of a remote module source. It follows
// the rules and the order of the hashicorp/go-getter detectors that OpenTofu
// uses (internal/getmodules/getter.go).
func remoteSource(s string) (string, error) {
	pkg, subdir := splitSubdir(s)
	if err := checkSubdir(subdir); err != nil {
		return "", err
	}
	pkg, detected, err := detect(pkg)
	if err != nil {
		return "", err
	}
	if detected != "" {
		subdir = path.Join(detected, subdir)
		if err := checkSubdir(subdir); err != nil {
			return "", err
		}
	}
	return withSubdir(pkg, subdir), nil
}

// detect returns a package address with its getter and scheme, and a
// subdirectory if a shorthand had one.
func detect(s string) (pkg, subdir string, err error) {
	getter, rest := cutGetter(s)
	rest, inner := splitSubdir(rest) // a second one may follow the getter
	if u, err := url.Parse(rest); err == nil && u.Scheme != "" {
		return s, "", nil
	}
	var result string
	switch {
	case strings.HasPrefix(rest, "github.com/"):
		result, err = githubSource(rest)
	case isGitSSH(rest):
		result, err = sshSource(rest)
	case strings.HasPrefix(rest, "bitbucket.org/"):
		result, err = bitbucketSource(rest)
	case strings.Contains(rest, ".googleapis.com/"):
		result, err = gcsSource(rest)
	case strings.Contains(rest, ".amazonaws.com/"):
		result, err = s3Source(rest)
	case strings.HasPrefix(rest, "/"):
		result = "file:///" + rest[1:]
	default:
		err = errors.New("the type of the module source cannot be determined; a local path begins with ./ or ../")
	}
	if err != nil {
		return "", "", err
	}
	found, result := cutGetter(result)
	pkg, subdir = splitSubdir(result)
	subdir = path.Join(subdir, inner)
	if subdir != "" {
		// As in go-getter, a package with a subdirectory is not escaped,
		// because the directory may have wildcards.
		u, err := url.Parse(pkg)
		if err != nil {
			return "", "", errors.New("the shorthand does not expand to a URL")
		}
		u.Path += "//" + subdir
		u.RawPath = u.Path
		pkg, subdir = splitSubdir(u.String())
	}
	if getter == "" {
		getter = found
	}
	if getter != "" {
		pkg = getter + "::" + pkg
	}
	return pkg, subdir, nil
}

// cutGetter splits off the name of a getter, which is followed by two colons.
func cutGetter(s string) (getter, rest string) {
	i := strings.Index(s, "::")
	if i < 1 || i+2 == len(s) || strings.IndexByte(s[i:], '\n') >= 0 {
		return "", s
	}
	for j := range i {
		if c := s[j]; !isIdentByte(c) || c == '-' || c == '_' {
			return "", s
		}
	}
	return s[:i], s[i+2:]
}

// webURL returns an https URL, checked and escaped.
func webURL(rest string) (*url.URL, error) {
	u, err := url.Parse("https://" + rest)
	if err != nil {
		return nil, errors.New("the shorthand does not expand to a URL")
	}
	return u, nil
}

// githubSource expands github.com/USER/REPO[/SUBDIR].
func githubSource(s string) (string, error) {
	s, query, _ := strings.Cut(s, "?")
	parts := strings.SplitN(s, "/", 4)
	if len(parts) < 3 {
		return "", errors.New("the shorthand for GitHub is github.com/USER/REPO")
	}
	u, err := webURL(strings.Join(parts[:3], "/"))
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(u.Path, ".git") {
		u.Path += ".git"
	}
	if len(parts) > 3 {
		u.Path += "//" + parts[3]
	}
	result := "git::" + u.String()
	if query != "" {
		result += "?" + query
	}
	return result, nil
}

// isGitSSH reports whether s has the form git@HOST:PATH.
func isGitSSH(s string) bool {
	host, file, ok := strings.Cut(s, ":")
	user, host, at := strings.Cut(host, "@")
	return ok && at && user == "git" && host != "" && file != "" && file != "/"
}

// sshSource expands git@HOST:PATH.
func sshSource(s string) (string, error) {
	host, file, _ := strings.Cut(strings.TrimPrefix(s, "git@"), ":")
	file, query, _ := strings.Cut(strings.TrimPrefix(file, "/"), "?")
	u := url.URL{Scheme: "ssh", User: url.User("git"), Host: host, Path: file}
	if query != "" {
		q, err := url.ParseQuery(query)
		if err != nil {
			return "", errors.New("the query string is not valid")
		}
		u.RawQuery = q.Encode()
	}
	return "git::" + u.String(), nil
}

// bitbucketSource expands bitbucket.org/USER/REPO.
func bitbucketSource(s string) (string, error) {
	u, err := webURL(s)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(u.Path, ".git") {
		u.Path += ".git"
	}
	return "git::" + u.String(), nil
}

// gcsSource expands www.googleapis.com/storage/VERSION/BUCKET/OBJECT.
func gcsSource(s string) (string, error) {
	parts := strings.SplitN(s, "/", 5)
	if len(parts) < 5 {
		return "", errors.New("the source is not a Google Cloud Storage URL")
	}
	u, err := webURL("www.googleapis.com/storage/" + strings.Join(parts[2:], "/"))
	if err != nil {
		return "", err
	}
	return "gcs::" + u.String(), nil
}

// s3Source expands the forms of S3 URLs: the region first, or the bucket.
func s3Source(s string) (string, error) {
	host, object, _ := strings.Cut(s, "/")
	var region, bucket string
	switch labels := strings.Split(host, "."); {
	case labels[0] == "":
		return "", errors.New("the source is not an S3 URL")
	case len(labels) == 3:
		region = labels[0]
	case len(labels) == 4:
		bucket, region = labels[0], labels[1]
	case len(labels) == 5 && labels[1] == "s3":
		bucket, region = labels[0], "s3."+labels[2]
	default:
		return "", errors.New("the source is not an S3 URL")
	}
	if bucket != "" {
		object = bucket + "/" + object
	}
	u, err := webURL(region + ".amazonaws.com/" + object)
	if err != nil {
		return "", err
	}
	return "s3::" + u.String(), nil
}
