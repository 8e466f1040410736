// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// sumsFaults are about the checksum document. The signature covers what they
// do, unless the name is "sums-changed".
func sumsFaults() map[Fault]faultSpec {
	s := func(change func(doc string) string) map[Kind]func(*reply) {
		return on(KindChecksums, func(r *reply) { r.body = []byte(change(string(r.body))) })
	}
	sum := strings.Repeat("ab", 32)
	firstLine := func(doc string) string {
		line, _, _ := strings.Cut(doc, "\n")
		return line
	}
	name := func(doc string) string { return strings.Fields(firstLine(doc))[1] }
	return map[Fault]faultSpec{
		"sums-404":         {about: "checksums: not found", act: on(KindChecksums, status(404, ""))},
		"sums-huge":        {about: "checksums: 64 MiB", act: on(KindChecksums, endless(64<<20))},
		"sums-blank-line":  {about: "checksums: a blank line, which crashes OpenTofu", harmless: true, act: s(func(d string) string { return "\n" + d + " \t\n" })},
		"sums-long-hex":    {about: "checksums: more than 64 digits, which crashes OpenTofu", act: s(func(d string) string { return "00" + d })},
		"sums-short-hex":   {about: "checksums: less than 64 digits", act: s(func(d string) string { return d[2:] })},
		"sums-no-line":     {about: "checksums: no line for the package", act: s(func(string) string { return sum + "  other.zip\n" })},
		"sums-wrong":       {about: "checksums: another hash for the package", act: s(func(d string) string { return sum + d[64:] })},
		"sums-duplicate":   {about: "checksums: two hashes for the package, the right one first", act: s(func(d string) string { return d + sum + "  " + name(d) + "\n" })},
		"sums-same-twice":  {about: "checksums: the same line twice", harmless: true, act: s(func(d string) string { return d + firstLine(d) + "\n" })},
		"sums-empty":       {about: "checksums: empty", act: s(func(string) string { return "" })},
		"sums-html":        {about: "checksums: a web page", act: s(func(string) string { return htmlPage })},
		"sums-crlf":        {about: "checksums: CRLF", harmless: true, act: s(func(d string) string { return strings.ReplaceAll(d, "\n", "\r\n") })},
		"sums-bom":         {about: "checksums: a byte order mark", act: s(func(d string) string { return "\ufeff" + d })},
		"sums-upper":       {about: "checksums: digits in upper case", harmless: true, act: s(func(d string) string { return strings.ToUpper(d[:64]) + d[64:] })},
		"sums-binary-mark": {about: "checksums: a star before the name", act: s(func(d string) string { return strings.ReplaceAll(d, "  ", " *") })},
		"sums-bad-line":    {about: "checksums: a foreign line that is not a checksum", harmless: true, act: s(func(d string) string { return d + "-- end --\n" })},
		"sums-foreign":     {about: "checksums: a line for a foreign file", harmless: true, act: s(func(d string) string { return d + sum + "  malware.zip\n" })},
		"sums-manifest": {about: "checksums: a line for a manifest", harmless: true, act: s(func(d string) string {
			return d + sum + "  " + strings.TrimSuffix(name(d), ".zip") + "_manifest.json\n"
		})},
	}
}

// A keyRing has the keys that faults sign with.
type keyRing struct {
	other     *Key // a good one that the server does not publish
	expired   *Key
	revoked   *Key
	unrevoked *Key // the same key before it was revoked
	subkey    *Key // one that signs with a subkey
}

// ring returns the keys for faults, made at their first use.
func (s *Server) ring() *keyRing {
	s.ringOnce.Do(func() {
		past := time.Now().Add(-1000 * time.Hour)
		s.keys = &keyRing{
			other:   must(NewKey("Other", past, 0)),
			expired: must(NewKey("Expired", past, 500*time.Hour)),
			revoked: must(NewKey("Revoked", past, 0)),
			subkey:  must(NewKey("Subkey", past, 0)),
		}
		// Signing does not look at revocations that came later.
		entity := *s.keys.revoked.entity
		s.keys.unrevoked = &Key{entity: &entity, config: s.keys.revoked.config}
		must(0, s.keys.revoked.revoke())
		must(0, s.keys.subkey.addSubkey())
	})
	return s.keys
}

// must is for calls that cannot fail, or fail only if the machine has no
// randomness.
func must[T any](v T, err error) T {
	if err != nil {
		panic("registrytest: " + err.Error())
	}
	return v
}

// recently returns the time of signatures.
func recently() time.Time { return time.Now().Add(-time.Minute) }

// signatureFaults are about signatures and keys.
func signatureFaults() map[Fault]faultSpec {
	type signer func(s *Server, doc []byte) []byte
	by := func(key func(*keyRing) *Key) signer {
		return func(s *Server, doc []byte) []byte { return must(key(s.ring()).Sign(doc, recently())) }
	}
	other := func(k *keyRing) *Key { return k.other }
	// publish answers with other keys, and with a signature by sign, unless
	// they are nil.
	publish := func(armors func(*keyRing) []string, sign signer) map[Kind]func(*reply) {
		act := map[Kind]func(*reply){}
		if armors != nil {
			act[KindPackage] = func(r *reply) {
				var list []any
				for _, a := range armors(r.server.ring()) {
					list = append(list, map[string]any{"ascii_armor": a})
				}
				if r.doc != nil {
					r.doc["signing_keys"] = map[string]any{"gpg_public_keys": list}
				}
			}
		}
		if sign != nil {
			act[KindSignature] = func(r *reply) { r.body = sign(r.server, r.signed) }
		}
		return act
	}
	one := func(key func(*keyRing) *Key) func(*keyRing) []string {
		return func(k *keyRing) []string { return []string{Armored(key(k))} }
	}
	const garbage = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!!\n-----END PGP PUBLIC KEY BLOCK-----"
	return map[Fault]faultSpec{
		"signature-404":       {about: "signature: not found", act: on(KindSignature, status(404, ""))},
		"signature-garbage":   {about: "signature: not a signature", act: on(KindSignature, text(200, "text/plain", "signed, honestly"))},
		"signature-html":      {about: "signature: a web page", act: on(KindSignature, text(200, "text/html", htmlPage))},
		"signature-empty":     {about: "signature: empty", act: on(KindSignature, text(200, "text/plain", ""))},
		"signature-huge":      {about: "signature: 64 MiB", act: on(KindSignature, endless(64<<20))},
		"signature-many":      {about: "signature: a hundred signatures", act: on(KindSignature, func(r *reply) { r.body = bytes.Repeat(r.body, 100) })},
		"signature-armored":   {about: "signature: armored", act: on(KindSignature, func(r *reply) { r.body = armorSignature(r.body) })},
		"signature-flipped":   {about: "signature: with a bit flipped", act: on(KindSignature, func(r *reply) { r.body[len(r.body)-2] ^= 1 })},
		"signature-other-doc": {about: "signature: of another document", act: publish(nil, func(s *Server, _ []byte) []byte { return must(s.Key.Sign([]byte("else"), recently())) })},
		"signature-swapped":   {about: "signature: by another key than is published", act: publish(nil, by(other))},
		"signature-two":       {about: "signature: two, the second by the published key", harmless: true, act: on(KindSignature, func(r *reply) { r.body = append(by(other)(r.server, r.signed), r.body...) })},
		"signature-bad-first": {about: "signature: two by the published key, the first of another document", harmless: true, act: on(KindSignature, func(r *reply) {
			r.body = append(must(r.server.Key.Sign([]byte("else"), recently())), r.body...)
		})},
		"signature-future": {about: "signature: from the future", act: publish(one(other), func(s *Server, doc []byte) []byte {
			return must(s.ring().other.Sign(doc, time.Now().Add(1000*time.Hour)))
		})},
		"signature-expired": {about: "signature: past its lifetime", act: publish(one(other), func(s *Server, doc []byte) []byte {
			at := time.Now().Add(-100 * time.Hour)
			return must(s.ring().other.sign(doc, &packet.Config{SigLifetimeSecs: 3600, Time: func() time.Time { return at }}))
		})},
		"key-swapped": {about: "key: another than signed", act: publish(one(other), nil)},
		"key-expired": {about: "key: expired", act: publish(one(func(k *keyRing) *Key { return k.expired }), func(s *Server, doc []byte) []byte {
			return must(s.ring().expired.Sign(doc, time.Now().Add(-900*time.Hour)))
		})},
		"key-revoked":       {about: "key: revoked", act: publish(one(func(k *keyRing) *Key { return k.revoked }), by(func(k *keyRing) *Key { return k.unrevoked }))},
		"key-subkey":        {about: "key: the signature is by a subkey", harmless: true, act: publish(one(func(k *keyRing) *Key { return k.subkey }), by(func(k *keyRing) *Key { return k.subkey }))},
		"key-second":        {about: "key: the second of two", harmless: true, act: publish(func(k *keyRing) []string { return []string{Armored(k.expired), Armored(k.other)} }, by(other))},
		"key-one-armor":     {about: "key: the second of two in one armored block", harmless: true, act: publish(func(k *keyRing) []string { return []string{Armored(k.expired, k.other)} }, by(other))},
		"key-two-armors":    {about: "key: in the second of two armored blocks in one string", act: publish(func(k *keyRing) []string { return []string{Armored(k.expired) + "\n" + Armored(k.other)} }, by(other))},
		"key-garbage-first": {about: "key: a good one after one that cannot be read", harmless: true, act: publish(func(k *keyRing) []string { return []string{garbage, Armored(k.other)} }, by(other))},
		"key-private": {about: "key: the private one is published", harmless: true, act: on(KindPackage, func(r *reply) {
			r.doc["signing_keys"] = map[string]any{"gpg_public_keys": []any{map[string]any{"ascii_armor": r.server.Key.privateArmor()}}}
		})},
	}
}

// manyKeys returns a list of n times the same key.
func manyKeys(s *Server, n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = map[string]any{"ascii_armor": Armored(s.Key)}
	}
	return out
}

// hugeKey returns a DSA key whose numbers are as large as possible. Verifying
// one signature with it would take a minute.
func hugeKey() string {
	var k bytes.Buffer
	k.Write([]byte{4, 0x60, 0, 0, 0, 17})
	for range 4 {
		k.Write([]byte{0xff, 0xff})
		io.CopyN(&k, &noiseReader{1}, 8192)
	}
	var b bytes.Buffer
	w := must(armor.Encode(&b, "PGP PUBLIC KEY BLOCK", nil))
	must(0, (&packet.OpaquePacket{Tag: 6, Contents: k.Bytes()}).Serialize(w))
	must(0, w.Close())
	return b.String()
}

// zipBody returns the right bytes of a package.
func zipBody(r *reply) []byte {
	f := must(r.file.open())
	defer f.Close()
	return must(io.ReadAll(f))
}

// isFirstZip reports whether a package is asked for the first time, and from its start.
func isFirstZip(r *reply) bool {
	return r.request.Header.Get("Range") == "" && r.server.Count(KindZip) <= 1
}

// breakOff sends the beginning of the requested bytes of a package and breaks off.
func breakOff(r *reply, ranges bool) {
	if r.file == nil {
		return
	}
	all := zipBody(r)
	part := max(8<<10, min(1<<20, len(all)/3+1))
	sum := r.file.SHA256
	from := 0
	if ranges {
		from = rangeStart(r.request, len(all))
	}
	r.stream = func(w http.ResponseWriter) {
		if ranges {
			w.Header().Set("Etag", `"`+sum+`"`)
			w.Header().Set("Accept-Ranges", "bytes")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(all)-from))
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(all)-1, len(all)))
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Write(all[from:min(len(all), from+part)])
		if from+part < len(all) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

// zipFaults are about the transport of a package.
func zipFaults() map[Fault]faultSpec {
	z := func(act func(*reply)) map[Kind]func(*reply) { return on(KindZip, act) }
	change := func(f func([]byte) []byte) map[Kind]func(*reply) {
		return z(func(r *reply) {
			if r.file != nil {
				r.set(200, "application/zip", string(f(zipBody(r))))
			}
		})
	}
	// dieFirst breaks off the first answer, and then answers the others.
	dieFirst := func(then func(*reply)) map[Kind]func(*reply) {
		return z(func(r *reply) {
			if isFirstZip(r) {
				breakOff(r, true)
			} else if then != nil {
				then(r)
			}
		})
	}
	return map[Fault]faultSpec{
		"zip-404":           {about: "package: not found", act: z(status(404, ""))},
		"zip-401":           {about: "package: unauthorized", act: z(status(401, ""))},
		"zip-429":           {about: "package: too many requests, wait an hour", act: z(status(429, "3600"))},
		"zip-503":           {about: "package: unavailable, every time", act: z(status(503, ""))},
		"zip-503-once":      {about: "package: unavailable, once", harmless: true, act: z(firstTimes(1, KindZip, status(503, "0")))},
		"zip-html":          {about: "package: a web page with status 200", act: z(text(200, "text/html", htmlPage))},
		"zip-empty":         {about: "package: empty", act: z(text(200, "application/zip", ""))},
		"zip-flipped":       {about: "package: a bit flipped", act: change(func(b []byte) []byte { b[len(b)/2] ^= 1; return b })},
		"zip-short":         {about: "package: the last byte is missing, and the length agrees", act: change(func(b []byte) []byte { return b[:len(b)-1] })},
		"zip-long":          {about: "package: a byte too many", act: change(func(b []byte) []byte { return append(b, 0) })},
		"zip-huge-length":   {about: "package: a length of a terabyte is promised", act: z(cut("application/zip", []byte("PK"), 1<<40))},
		"zip-endless":       {about: "package: bytes without end", act: z(endless(1 << 40))},
		"zip-gzip":          {about: "package: compressed by the server though it was told not to", act: z(gzipBomb)},
		"zip-drip":          {about: "package: a byte now and then, for ever", act: z(drip("application/zip"))},
		"zip-dies":          {about: "package: the connection dies after each megabyte or third", harmless: true, act: z(func(r *reply) { breakOff(r, true) })},
		"zip-dies-no-range": {about: "package: the connection dies always at the same place, no ranges", act: z(func(r *reply) { breakOff(r, false) })},
		"zip-dies-once": {about: "package: the connection dies once, no ranges", harmless: true, act: z(func(r *reply) {
			if isFirstZip(r) {
				breakOff(r, false)
			} else if r.file != nil {
				r.set(200, "application/zip", string(zipBody(r)))
			}
		})},
		"zip-wrong-range": {about: "package: after a break, another range than asked for", harmless: true, act: dieFirst(func(r *reply) {
			if r.request.Header.Get("Range") != "" && r.file != nil {
				all := zipBody(r)
				r.set(http.StatusPartialContent, "application/zip", string(all))
				r.header.Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(all)-1, len(all)))
			}
		})},
		"zip-no-continue": {about: "package: after a break, status 416", harmless: true, act: dieFirst(func(r *reply) {
			if r.request.Header.Get("Range") != "" {
				r.set(http.StatusRequestedRangeNotSatisfiable, "text/plain", "no")
			}
		})},
		"zip-changed": {about: "package: after a break, another file", act: dieFirst(func(r *reply) {
			if r.file != nil {
				all := zipBody(r)
				for i := range all {
					all[i] ^= 0x55
				}
				r.set(200, "application/zip", string(all))
			}
		})},
	}
}

// rangeStart returns the first byte that a request asks for.
func rangeStart(q *http.Request, size int) int {
	s, ok := strings.CutPrefix(q.Header.Get("Range"), "bytes=")
	n, err := strconv.Atoi(strings.TrimSuffix(s, "-"))
	if !ok || err != nil || n < 0 || n >= size {
		return 0
	}
	return n
}
