// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// Bounds on the keys of one package; see also maxWork.
const (
	maxArmor    = 8 << 20 // bytes of one armored key
	maxKeys     = 64      // armored keys
	maxRSABits  = 16384
	maxDSABits  = 4096
	maxDSAQBits = 512
)

// Tags of packets (RFC 9580, section 5).
const (
	packetSignature    = 2
	packetSecretKey    = 5
	packetPublicKey    = 6
	packetSecretSubkey = 7
	packetPublicSubkey = 14
	packetPadding      = 21
)

// A keyRing is the content of one armored block. All packages that name the key
// share it.
type keyRing struct {
	notes   []string
	refused error         // why the block is not read at all
	id      uint64        // of the first primary key, or 0
	scanned time.Duration // the estimated work to list the packets
	work    time.Duration // the estimated work to read the keys
	weight  int64         // in memory

	body   []byte              // the packets
	ids    map[uint64]bool     // of all keys in it
	closed map[uint64]error    // the keys with a revocation that cannot be read, and why; a primary key stands for its subkeys
	alien  map[addrs.Tool]bool // the tools that do not know all packets
	loose  string              // what is wrong with the armor for strictArmor
	reader sync.Once
	keys   openpgp.EntityList // for read
	err    error              // for read
}

// has reports whether the key with an ID is in the block, readable or not.
func (r *keyRing) has(id uint64) bool { return r.ids[id] }

// scanKeys lists the packets of an armored block, which may hold several keys. Only the
// first block of the text counts, as in OpenTofu.
func scanKeys(text string) *keyRing {
	r := &keyRing{weight: 1024, ids: map[uint64]bool{}, closed: map[uint64]error{}, alien: map[addrs.Tool]bool{}}
	fail := func(err error) *keyRing {
		r.refused = err
		return r
	}
	if len(text) > maxArmor {
		return fail(fmt.Errorf("longer than %d bytes", maxArmor))
	}
	block, err := armor.Decode(strings.NewReader(text))
	if err != nil {
		return fail(errors.New("no armored block"))
	}
	switch block.Type {
	case openpgp.PublicKeyType:
	case openpgp.PrivateKeyType:
		r.notes = append(r.notes, "the registry publishes a private key")
	default:
		return fail(fmt.Errorf("a %q, not a key", printable.Line(block.Type, 60)))
	}
	r.scanned = time.Duration(len(text)) * armorWork
	r.loose = strictArmor(text)
	if r.body, err = io.ReadAll(io.LimitReader(block.Body, maxArmor)); err != nil {
		return fail(err)
	}
	if err := r.scan(); err != nil {
		r.body = nil
		return fail(err)
	}
	r.weight += 16 * int64(len(r.body)) // packets in their parsed form
	return r
}

// read returns the keys in r, after it has verified their self-signatures.
func (r *keyRing) read() (openpgp.EntityList, error) {
	r.reader.Do(func() {
		if r.err = r.refused; r.err != nil {
			return
		}
		r.keys, r.err = openpgp.ReadKeyRing(bytes.NewReader(r.body))
		if r.err == nil && len(r.keys) == 0 {
			r.err = errors.New("no key in the block")
		}
	})
	return r.keys, r.err
}

// errTooDear is why a block is not read that the tools would read.
var errTooDear = errors.New("it has so many packets and self-signatures that reading it would take too long")

// scan estimates the work to read the keys: each signature of a key on itself is
// verified. It also checks the keys for numbers so large that verifying with them would
// take minutes.
func (r *keyRing) scan() error {
	var primary, sub *packet.PublicKey // the keys that a signature is about
	afterUser := false                 // it is about a user ID
	user := 0                          // bytes of that ID
	key := func(p *packet.PublicKey) {
		r.ids[p.KeyId] = true
		if afterUser, sub, user = false, nil, 0; p.IsSubkey {
			sub = p
			return
		}
		if primary = p; r.id == 0 {
			r.id = p.KeyId
		}
	}
	packets := packet.NewOpaqueReader(bytes.NewReader(r.body))
	for {
		opaque, err := packets.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return errors.New("not a sequence of packets")
		}
		isKey := slices.Contains([]uint8{packetSecretKey, packetPublicKey, packetSecretSubkey, packetPublicSubkey}, opaque.Tag)
		if isKey {
			if err := boundKey(opaque.Contents); err != nil {
				return err
			}
		}
		for tool, library := range toolLibraries {
			r.alien[tool] = r.alien[tool] || !library.knows(opaque)
		}
		cost := parseWork(opaque.Tag, opaque.Contents)
		r.scanned += cost
		r.work += cost
		if r.scanned > maxScan || r.work > maxWork {
			return errTooDear
		}
		p, err := opaque.Parse()
		if err != nil {
			if opaque.Tag == packetSignature && len(opaque.Contents) > 1 {
				r.unreadRevocation(packet.SignatureType(opaque.Contents[1]), primary, sub, err)
			}
			continue
		}
		switch p := p.(type) {
		case *packet.PublicKey:
			key(p)
		case *packet.PrivateKey:
			key(&p.PublicKey)
		case *packet.UserId:
			sub, afterUser, user = nil, true, len(opaque.Contents)
		case *packet.UserAttribute:
			sub, afterUser = nil, false
		case *packet.Signature:
			if work := selfSignatureWork(p, primary, sub, afterUser); work > 0 {
				r.work += work + time.Duration(user)*hashWork
			}
		}
	}
}

// unreadRevocation keeps that the library, and so each tool, passes over a revocation. That of
// PGPainless is one: it has a critical subpacket that the library does not know.
func (r *keyRing) unreadRevocation(kind packet.SignatureType, primary, sub *packet.PublicKey, err error) {
	switch {
	case kind == packet.SigTypeKeyRevocation && primary != nil:
		r.closed[primary.KeyId] = err
	case kind == packet.SigTypeSubkeyRevocation && sub != nil:
		r.closed[sub.KeyId] = err
	}
}

// selfSignatureWork estimates the work for a signature in a block. The certifications by
// others are not verified, nor is what stands behind a user attribute.
func selfSignatureWork(sig *packet.Signature, primary, sub *packet.PublicKey, afterUser bool) time.Duration {
	switch {
	case primary == nil:
	case sub != nil:
		work := verifyWork(primary)
		if sig.FlagSign && sig.EmbeddedSignature != nil {
			work += verifyWork(sub)
		}
		return work
	case afterUser && sig.CheckKeyIdOrFingerprint(primary),
		!afterUser && (sig.SigType == packet.SigTypeKeyRevocation || sig.SigType == packet.SigTypeDirectSignature):
		return verifyWork(primary)
	}
	return 0
}

// boundKey checks the sizes of the numbers of an RSA or DSA key (RFC 9580,
// section 5.5.2): version, time, algorithm, in versions 5 and 6 the length of what
// follows, then the numbers, each with its length in bits.
func boundKey(b []byte) error {
	if len(b) < 6 {
		return errors.New("a key is cut off")
	}
	version, algorithm, b := b[0], b[5], b[6:]
	if version == 5 || version == 6 {
		b = b[min(4, len(b)):]
	}
	var bounds []int
	switch algorithm {
	case 1, 2, 3: // RSA: n, e
		bounds = []int{maxRSABits, 64}
	case 17: // DSA: p, q, g, y
		bounds = []int{maxDSABits, maxDSAQBits, maxDSABits, maxDSABits}
	}
	for _, bound := range bounds {
		if len(b) < 2 {
			return errors.New("a key is cut off")
		}
		bits := int(binary.BigEndian.Uint16(b))
		if bits > bound {
			return fmt.Errorf("a key with a number of %d bits", bits)
		}
		b = b[min(2+(bits+7)/8, len(b)):]
	}
	return nil
}
