// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const htmlPage = "<!DOCTYPE html>\n<html><body><h1>Please log in</h1></body></html>\n"

// discoveryFaults are about the discovery document.
func discoveryFaults() map[Fault]faultSpec {
	return map[Fault]faultSpec{
		"discovery-garbage":       {about: "discovery: not JSON", act: on(KindDiscovery, text(200, "application/json", "}{"))},
		"discovery-html":          {about: "discovery: a web page with status 200", act: on(KindDiscovery, text(200, "text/html; charset=utf-8", htmlPage))},
		"discovery-wrong-type":    {about: "discovery: right text, wrong content type", act: on(KindDiscovery, func(r *reply) { r.header.Set("Content-Type", "text/plain") })},
		"discovery-array":         {about: "discovery: an array", act: on(KindDiscovery, text(200, "application/json", "[]"))},
		"discovery-null":          {about: "discovery: null", act: on(KindDiscovery, text(200, "application/json", "null"))},
		"discovery-huge":          {about: "discovery: 64 MiB of white space", act: on(KindDiscovery, endless(64<<20))},
		"discovery-404":           {about: "discovery: no services", act: on(KindDiscovery, text(404, "text/plain", "no"))},
		"discovery-500":           {about: "discovery: server error, every time", act: on(KindDiscovery, text(500, "text/plain", "oops"))},
		"discovery-none":          {about: "discovery: no providers.v1 or modules.v1", act: on(KindDiscovery, text(200, "application/json", `{"login.v1":{}}`))},
		"discovery-other-version": {about: "discovery: only version 2 of the protocols", act: on(KindDiscovery, text(200, "application/json", `{"providers.v2":"/v2/","modules.v2":"/v2/"}`))},
		"discovery-no-slash":      {about: "discovery: the base URL does not end in a slash", act: on(KindDiscovery, member("providers.v1", "/v1/providers"))},
		"discovery-http":          {about: "discovery: a base URL without TLS", act: on(KindDiscovery, member("providers.v1", "http://registry.example.org/v1/providers/"))},
		"discovery-foreign":       {about: "discovery: a base URL at another host", harmless: true, act: on(KindDiscovery, member("providers.v1", "https://elsewhere.example.org/v1/providers/"))},
		"discovery-userinfo":      {about: "discovery: a base URL with a password", act: on(KindDiscovery, member("providers.v1", "https://user:secret@registry.example.org/v1/providers/"))},
		"discovery-file":          {about: "discovery: a base URL that is a file", act: on(KindDiscovery, member("providers.v1", "file:///etc/"))},
		"discovery-number":        {about: "discovery: a number as base URL", act: on(KindDiscovery, member("providers.v1", 7))},
	}
}

// redirectFaults redirect the document requests, and the packages.
func redirectFaults() map[Fault]faultSpec {
	withZip := func(act func(*reply)) map[Kind]func(*reply) {
		m := onAny(act)
		m[KindZip] = act
		return m
	}
	to := func(location func(r *reply) string) map[Kind]func(*reply) {
		return withZip(func(r *reply) {
			l := location(r)
			if l == "" {
				return
			}
			r.set(http.StatusFound, "text/plain", "")
			r.header.Set("Location", l)
		})
	}
	// hops counts the earlier redirects, in the query.
	hops := func(r *reply) int {
		n, _ := strconv.Atoi(r.request.URL.Query().Get("hop"))
		return n
	}
	return map[Fault]faultSpec{
		"redirect-loop": {about: "redirect: to itself, for ever", act: to(func(r *reply) string { return r.request.URL.Path })},
		"redirect-many": {about: "redirect: twenty times", act: to(func(r *reply) string {
			if n := hops(r); n < 20 {
				return fmt.Sprintf("%s?hop=%d", r.request.URL.Path, n+1)
			}
			return ""
		})},
		"redirect-once": {about: "redirect: once, to the same server", harmless: true, act: to(func(r *reply) string {
			if hops(r) == 0 {
				return r.request.URL.Path + "?hop=1"
			}
			return ""
		})},
		"redirect-foreign": {about: "redirect: once, to another host", harmless: true, act: to(func(r *reply) string {
			if hops(r) == 0 {
				return "https://elsewhere.example.org" + r.request.URL.Path + "?hop=1"
			}
			return ""
		})},
		"redirect-downgrade": {about: "redirect: to http on the same host", act: to(func(r *reply) string {
			if r.request.TLS != nil {
				host, _, _ := strings.Cut(r.request.Host, ":")
				return "http://" + host + r.request.URL.Path
			}
			return ""
		})},
		"redirect-nowhere": {about: "redirect: without a Location", act: withZip(func(r *reply) { r.set(http.StatusFound, "text/plain", "") })},
		"redirect-file":    {about: "redirect: to a file", act: to(func(*reply) string { return "file:///etc/passwd" })},
	}
}

// endless answers with n bytes of white space, without a length.
func endless(n int64) func(*reply) {
	return func(r *reply) {
		r.stream = func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			block := bytes.Repeat([]byte(" "), 64<<10)
			for sent := int64(0); sent < n; sent += int64(len(block)) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}
	}
}

// drip answers with a byte now and then, until the client gives up.
func drip(contentType string) func(*reply) {
	return func(r *reply) {
		ctx := r.request.Context()
		r.stream = func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", contentType)
			for {
				if _, err := w.Write([]byte(" ")); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-ctx.Done():
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		}
	}
}

// cut answers with a promise of more bytes than come.
func cut(contentType string, body []byte, promised int64) func(*reply) {
	return func(r *reply) {
		r.stream = func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Length", strconv.FormatInt(promised, 10))
			w.Write(body)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

// gzipBomb answers with 512 MiB of white space in half a megabyte.
func gzipBomb(r *reply) {
	r.stream = func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range 512 {
			if _, err := z.Write(block); err != nil {
				return
			}
		}
		z.Close()
	}
}

// status answers with a status, and a Retry-After in seconds if not empty.
func status(code int, retryAfter string) func(*reply) {
	return func(r *reply) {
		r.set(code, "application/json", `{"errors":["the registry says \u001b[31mno\u001b[0m"]}`)
		if retryAfter != "" {
			r.header.Set("Retry-After", retryAfter)
		}
	}
}

// firstTimes returns an action that happens only for the first n requests.
func firstTimes(n int, kind Kind, act func(*reply)) func(*reply) {
	return func(r *reply) {
		if r.server.Count(kind) <= n {
			act(r)
		}
	}
}

// versionsFaults are about the list of versions.
func versionsFaults() map[Fault]faultSpec {
	v := func(act func(*reply)) map[Kind]func(*reply) { return on(KindVersions, act) }
	list := func(elements ...any) func(*reply) { return member("versions", elements) }
	return map[Fault]faultSpec{
		"versions-garbage":       {about: "versions: not JSON", act: v(text(200, "application/json", `{"versions":[`))},
		"versions-html":          {about: "versions: a web page with status 200", act: v(text(200, "text/html", htmlPage))},
		"versions-trailing":      {about: "versions: text after the JSON value", act: v(text(200, "application/json", `{"versions":[]} tail`))},
		"versions-null":          {about: "versions: null for a version", act: v(list(nil))},
		"versions-wrong-kind":    {about: "versions: a string for the list", act: v(member("versions", "1.0.0"))},
		"versions-empty":         {about: "versions: an empty list", harmless: true, act: v(list())},
		"versions-with-v":        {about: "versions: a version with a v", act: v(list(map[string]any{"version": "v1.0.0"}))},
		"versions-number":        {about: "versions: a number above 2^64, which crashes OpenTofu", harmless: true, act: v(list(map[string]any{"version": "18446744073709551616.0.0"}, map[string]any{"version": "1.0.0", "protocols": []any{"5.0"}}))},
		"versions-duplicate":     {about: "versions: the same version twice", harmless: true, act: v(list(map[string]any{"version": "1.0.0"}, map[string]any{"version": "1.0.0", "protocols": []any{"5.0"}}))},
		"versions-null-platform": {about: "versions: null for a platform", harmless: true, act: v(list(map[string]any{"version": "1.0.0", "platforms": []any{nil}}))},
		"versions-warnings":      {about: "versions: warnings with terminal sequences", harmless: true, act: v(member("warnings", []any{"\x1b]0;owned\x07 careful \u202e reversed"}))},
		"versions-huge":          {about: "versions: 64 MiB of white space", act: v(endless(64 << 20))},
		"versions-many": {about: "versions: two and a half million empty objects", act: v(func(r *reply) {
			r.set(200, "application/json", `{"versions":[`+strings.Repeat("{},", 2_500_000)+`{}]}`)
		})},
		"versions-gzip-bomb": {about: "versions: 512 MiB in half a megabyte", act: v(gzipBomb)},
		"versions-drip":      {about: "versions: a byte now and then, for ever", act: v(drip("application/json"))},
		"versions-cut":       {about: "versions: the connection dies", act: v(cut("application/json", []byte(`{"versions":`), 1000))},
		"versions-401":       {about: "versions: unauthorized", act: v(status(401, ""))},
		"versions-403":       {about: "versions: forbidden", act: v(status(403, ""))},
		"versions-404":       {about: "versions: not found", act: v(status(404, ""))},
		"versions-429":       {about: "versions: too many requests, wait an hour", act: v(status(429, "3600"))},
		"versions-429-once":  {about: "versions: too many requests, once", harmless: true, act: v(firstTimes(1, KindVersions, status(429, "0")))},
		"versions-500":       {about: "versions: server error, every time", act: v(status(500, ""))},
		"versions-501":       {about: "versions: status 501, every time", act: v(status(501, ""))},
		"versions-503":       {about: "versions: unavailable, for a day", act: v(status(503, "86400"))},
		"versions-503-once":  {about: "versions: unavailable, once", harmless: true, act: v(firstTimes(1, KindVersions, status(503, "")))},
	}
}

// packageFaults are about the answer that describes a package.
func packageFaults() map[Fault]faultSpec {
	m := func(act func(*reply)) map[Kind]func(*reply) { return on(KindPackage, act) }
	keys := func(list any) func(*reply) { return member("signing_keys", map[string]any{"gpg_public_keys": list}) }
	own := func(change func(r *reply, p map[string]any)) func(*reply) {
		return func(r *reply) {
			packages, _ := r.doc["packages"].(map[string]any)
			name := fmt.Sprint(r.doc["os"]) + "_" + fmt.Sprint(r.doc["arch"])
			if p, ok := packages[name].(map[string]any); ok {
				change(r, p)
			}
		}
	}
	zh := func(sum string) map[string]any {
		return map[string]any{"hashes": []any{"zh:" + sum}, "package_size": 5}
	}
	return map[Fault]faultSpec{
		"package-garbage":         {about: "package: not JSON", act: m(text(200, "application/json", "nope"))},
		"package-html":            {about: "package: a web page with status 200", act: m(text(200, "text/html", htmlPage))},
		"package-404":             {about: "package: not found", act: m(status(404, ""))},
		"package-other-platform":  {about: "package: another platform than asked for", act: m(member("arch", "z80"))},
		"package-protocol":        {about: "package: only provider protocol 4", act: m(member("protocols", []any{"4.0"}))},
		"package-protocol-odd":    {about: "package: a protocol that is none", act: m(member("protocols", []any{"five"}))},
		"package-no-protocols":    {about: "package: no protocols", harmless: true, act: m(without("protocols"))},
		"package-no-filename":     {about: "package: no file name", act: m(without("filename"))},
		"package-filename-path":   {about: "package: a file name that climbs", act: m(member("filename", "../../.ssh/authorized_keys"))},
		"package-no-url":          {about: "package: no download URL", act: m(without("download_url"))},
		"package-no-sums-url":     {about: "package: no URL of checksums", act: m(without("shasums_url"))},
		"package-no-sig-url":      {about: "package: no URL of the signature", act: m(without("shasums_signature_url"))},
		"package-url-file":        {about: "package: a download URL that is a file", act: m(member("download_url", "file:///etc/passwd"))},
		"package-url-http":        {about: "package: a download URL without TLS", act: m(member("download_url", "http://169.254.169.254/latest/meta-data/"))},
		"package-no-shasum":       {about: "package: no shasum", act: m(without("shasum"))},
		"package-short-shasum":    {about: "package: a shasum that is too short", act: m(member("shasum", "abc123"))},
		"package-upper-shasum":    {about: "package: a shasum in upper case", harmless: true, act: m(func(r *reply) { r.doc["shasum"] = strings.ToUpper(fmt.Sprint(r.doc["shasum"])) })},
		"package-wrong-shasum":    {about: "package: a shasum that is not the package's", act: m(member("shasum", strings.Repeat("ab", 32)))},
		"key-null":                {about: "package: null for a key, which crashes OpenTofu", act: m(keys([]any{nil}))},
		"key-none":                {about: "package: no keys, as if there was no signing", act: m(keys(nil))},
		"key-empty":               {about: "package: an empty list of keys", act: m(keys([]any{}))},
		"key-garbage":             {about: "package: a key that is garbage", act: m(keys([]any{map[string]any{"ascii_armor": "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nnot base64!\n-----END PGP PUBLIC KEY BLOCK-----"}}))},
		"key-blank":               {about: "package: an empty key", act: m(keys([]any{map[string]any{"ascii_armor": ""}}))},
		"key-huge":                {about: "package: a key with a number of 65535 bits", act: m(func(r *reply) { keys([]any{map[string]any{"ascii_armor": hugeKey()}})(r) })},
		"key-many":                {about: "package: a thousand keys", act: m(func(r *reply) { keys(manyKeys(r.server, 1000))(r) })},
		"reported-null":           {about: "package: null for a reported package", act: m(func(r *reply) { addReported(r, "plan9_386", nil) })},
		"reported-conflict":       {about: "package: one zh for two platforms, which crashes OpenTofu", act: m(func(r *reply) { addReported(r, "plan9_386", zh(fmt.Sprint(r.doc["shasum"]))) })},
		"reported-odd-platform":   {about: "package: a reported platform that is none", act: m(func(r *reply) { addReported(r, "linux", zh(strings.Repeat("ab", 32))) })},
		"reported-no-scheme":      {about: "package: a reported hash without a scheme", act: m(own(func(_ *reply, p map[string]any) { p["hashes"] = []any{"abc"} }))},
		"reported-unknown-scheme": {about: "package: a further reported hash of an unknown scheme", harmless: true, act: m(own(func(_ *reply, p map[string]any) { p["hashes"] = append(p["hashes"].([]any), "q9:x") }))},
		"reported-wrong-zh":       {about: "package: a reported zh that is not the shasum", act: m(own(func(_ *reply, p map[string]any) { p["hashes"] = []any{"zh:" + strings.Repeat("ab", 32)} }))},
		"reported-no-zh":          {about: "package: no reported zh", act: m(own(func(_ *reply, p map[string]any) { p["hashes"] = []any{p["hashes"].([]any)[0]} }))},
		"reported-wrong-h1":       {about: "package: a reported h1 that is garbage", act: m(own(func(_ *reply, p map[string]any) { p["hashes"].([]any)[0] = "h1:garbage" }))},
		"reported-wrong-size":     {about: "package: a reported size that is wrong", act: m(own(func(_ *reply, p map[string]any) { p["package_size"] = 5 }))},
		"reported-zero-size":      {about: "package: a reported size of zero", act: m(own(func(_ *reply, p map[string]any) { p["package_size"] = 0 }))},
		"reported-missing":        {about: "package: packages without this platform", act: m(func(r *reply) { r.doc["packages"] = map[string]any{"plan9_386": zh(strings.Repeat("ab", 32))} })},
	}
}

// addReported adds an element to the member "packages".
func addReported(r *reply, platform string, value any) {
	packages, ok := r.doc["packages"].(map[string]any)
	if !ok {
		packages = map[string]any{}
		r.doc["packages"] = packages
	}
	packages[platform] = value
}

// mirrorFaults are about the network mirror.
func mirrorFaults() map[Fault]faultSpec {
	each := func(change func(a map[string]any)) map[Kind]func(*reply) {
		return on(KindMirrorVersion, func(r *reply) {
			archives, _ := r.doc["archives"].(map[string]any)
			for _, a := range archives {
				if a, ok := a.(map[string]any); ok {
					change(a)
				}
			}
		})
	}
	both := func(act func(*reply)) map[Kind]func(*reply) {
		return map[Kind]func(*reply){KindMirrorIndex: act, KindMirrorVersion: act}
	}
	return map[Fault]faultSpec{
		"mirror-wrong-type": {about: "mirror: right text, wrong content type", act: both(func(r *reply) { r.header.Set("Content-Type", "text/plain") })},
		"mirror-garbage":    {about: "mirror: not JSON", act: both(text(200, "application/json", "{"))},
		"mirror-401":        {about: "mirror: unauthorized", act: both(status(401, ""))},
		"mirror-404":        {about: "mirror: not found", act: both(status(404, ""))},
		"mirror-odd-version": {about: "mirror: a key that is not a version", harmless: true, act: on(KindMirrorIndex, func(r *reply) {
			if versions, ok := r.doc["versions"].(map[string]any); ok {
				versions["latest"] = map[string]any{}
			}
		})},
		"mirror-null": {about: "mirror: null for an archive, which crashes OpenTofu", act: on(KindMirrorVersion, func(r *reply) {
			archives, _ := r.doc["archives"].(map[string]any)
			for name := range archives {
				archives[name] = nil
			}
		})},
		"mirror-no-url":         {about: "mirror: no URL", act: each(func(a map[string]any) { delete(a, "url") })},
		"mirror-url-file":       {about: "mirror: a URL that is a file", act: each(func(a map[string]any) { a["url"] = "file:///etc/passwd" })},
		"mirror-no-hashes":      {about: "mirror: no hashes", harmless: true, act: each(func(a map[string]any) { delete(a, "hashes") })},
		"mirror-h1-only":        {about: "mirror: only an h1", harmless: true, act: each(func(a map[string]any) { a["hashes"] = a["hashes"].([]any)[:1] })},
		"mirror-wrong-hashes":   {about: "mirror: hashes that are not the package's", act: each(func(a map[string]any) { a["hashes"] = []any{"h1:no", "zh:" + strings.Repeat("ab", 32)} })},
		"mirror-unknown-scheme": {about: "mirror: only hashes of an unknown scheme", act: each(func(a map[string]any) { a["hashes"] = []any{"q9:x"} })},
		"mirror-no-scheme":      {about: "mirror: a hash without a scheme", act: each(func(a map[string]any) { a["hashes"] = []any{"x"} })},
	}
}

// moduleFaults are about modules.
func moduleFaults() map[Fault]faultSpec {
	v := func(act func(*reply)) map[Kind]func(*reply) { return on(KindModuleVersions, act) }
	d := func(act func(*reply)) map[Kind]func(*reply) { return on(KindModuleDownload, act) }
	location := func(l string) map[Kind]func(*reply) {
		return d(func(r *reply) {
			if r.doc != nil {
				r.doc["location"] = l
			} else {
				r.header.Set("X-Terraform-Get", l)
			}
		})
	}
	return map[Fault]faultSpec{
		"module-null":         {about: "module: null for the module, which crashes OpenTofu", act: v(member("modules", []any{nil}))},
		"module-null-version": {about: "module: null for a version, which crashes OpenTofu", act: v(member("modules", []any{map[string]any{"versions": []any{nil}}}))},
		"module-none":         {about: "module: an empty list of modules", act: v(member("modules", []any{}))},
		"module-odd-version":  {about: "module: a version that is none, beside one with a v", harmless: true, act: v(member("modules", []any{map[string]any{"versions": []any{map[string]any{"version": "latest"}, map[string]any{"version": "v1.2.0"}}}}))},
		"module-401":          {about: "module: unauthorized", act: map[Kind]func(*reply){KindModuleVersions: status(401, ""), KindModuleDownload: status(401, "")}},
		"module-no-location":  {about: "module: no location", act: d(func(r *reply) { r.set(204, "application/json", ""); r.header.Del("X-Terraform-Get") })},
		"module-garbage":      {about: "module: a location that is not JSON", act: d(text(200, "application/json", "x"))},
		"module-local":        {about: "module: a local path as location", act: location(".\\modules\\net")},
		"module-registry":     {about: "module: a registry address as location", act: location("acme/net/test")},
		"module-relative":     {about: "module: a relative location", harmless: true, act: location("../archive/module.zip//sub?archive=zip")},
		"module-control":      {about: "module: a location with control characters", act: location("https://example.com/\x1b[2Jx.zip")},
	}
}
