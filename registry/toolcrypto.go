// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A toolLibrary describes the OpenPGP library of a tool: it is the same as the one of this
// package in an older version, which passes over the packets that it does not know.
type toolLibrary struct {
	release    string // of the tool, with its name
	maxVersion byte   // of keys and signatures
	lacks      func(algorithm byte) bool
	padding    bool // it knows padding, and refuses a signature behind it
	expired    bool // it accepts signatures that are out of their time, as it does keys
	strict     bool // its reader of armor is as strictArmor says
}

// toolLibraries are the libraries of the newest releases that were tried: go-crypto 1.4.1
// in OpenTofu 1.12.6, and 1.0.0 in Terraform 1.11.4. The numbers of algorithms are those
// of RFC 9580, section 9.1, and of draft-ietf-openpgp-pqc: 25 to 28 are X25519, X448,
// Ed25519 and Ed448, and from 30 on they are post-quantum.
var toolLibraries = map[addrs.Tool]toolLibrary{
	addrs.OpenTofu:  {"tofu 1.12", 6, func(a byte) bool { return a >= 30 }, true, true, false},
	addrs.Terraform: {"terraform 1.11", 5, func(a byte) bool { return a >= 25 }, false, false, true},
}

// knows reports whether a library reads a packet that the one of this package reads.
func (l toolLibrary) knows(p *packet.OpaquePacket) bool {
	algorithm := 0 // the place of the number of the algorithm
	switch p.Tag {
	case packetSignature:
		algorithm = 2
	case packetSecretKey, packetPublicKey, packetSecretSubkey, packetPublicSubkey:
		algorithm = 5
	case packetPadding:
		return l.padding
	default:
		return true
	}
	b := p.Contents
	return len(b) <= algorithm || b[0] <= l.maxVersion && !l.lacks(b[algorithm])
}

// filter returns the packets of src without those that a library does not know.
func (l toolLibrary) filter(src []byte) []byte {
	var out bytes.Buffer
	packets := packet.NewOpaqueReader(bytes.NewReader(src))
	for {
		p, err := packets.Next()
		if err != nil {
			return out.Bytes()
		}
		if l.knows(p) && p.Serialize(&out) != nil {
			return out.Bytes()
		}
	}
}

// refusedByTool returns a text if the tool that the policy is for does not accept what
// was accepted here, or "". A tool takes the first key that has the ID in the signature,
// and fails at the first block that it cannot read.
func (s *signatureCheck) refusedByTool() string {
	tool := cmp.Or(s.policy.Tool, addrs.OpenTofu)
	library, ok := toolLibraries[tool]
	if !ok {
		return "" // a tool that nobody tried
	}
	refused := func(reason string) string {
		return fmt.Sprintf("%s cannot verify the signature by %s: %s", library.release, s.verdict.signer.KeyID, reason)
	}
	if isArmored(s.signature) {
		return refused("it is armored")
	}
	signature := library.filter(s.signature)
	if len(signature) == 0 {
		return refused("it does not know its algorithm or version")
	}
	for n, r := range s.rings {
		if r.refused == errTooDear {
			continue
		}
		if !slices.Contains(s.passed, n) && !s.spend(r.work) {
			return ""
		}
		if library.strict && r.loose != "" {
			return refused("it cannot read " + s.name(n) + " (" + r.loose + ")")
		}
		keys, err := r.read()
		if err == nil && r.alien[tool] {
			if !s.spend(r.work) {
				return ""
			}
			keys, err = openpgp.ReadKeyRing(bytes.NewReader(library.filter(r.body)))
		}
		if err != nil || len(keys) == 0 {
			return refused("it cannot read " + s.name(n) + because(err))
		}
		_, _, err = openpgp.VerifyDetachedSignature(keys, bytes.NewReader(s.document), bytes.NewReader(signature), s.config)
		switch {
		case errors.Is(err, pgperrors.ErrUnknownIssuer):
		case err == nil, errors.Is(err, pgperrors.ErrKeyExpired), errors.Is(err, pgperrors.ErrSignatureExpired) && library.expired:
			return ""
		default:
			return refused("it goes by the first signature that names a published key" + because(err))
		}
	}
	return refused("it does not know the key")
}

// strictArmor returns why an older library does not read armor that this one reads, or "": white space
// around a line, a wrong sum, or no last line, which must follow the sum.
func strictArmor(text string) string {
	_, text, _ = strings.Cut(text, "-----BEGIN")
	_, text, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	inBody, summed := false, false
	var body []byte
	for line := range strings.SplitSeq(text, "\n") {
		switch sum, isSum := strings.CutPrefix(line, "="); {
		case strings.HasPrefix(line, "-----END "):
			return ""
		case !inBody:
			inBody = strings.TrimSpace(line) == ""
		case summed:
			return "the last line does not follow the checksum of the armor"
		case strings.TrimSpace(line) != line:
			return "white space around a line of the armor"
		case isSum && len(sum) == 4:
			data, err := base64.StdEncoding.DecodeString(string(body))
			want, wrong := base64.StdEncoding.DecodeString(sum)
			if err != nil || wrong != nil || !bytes.Equal(want, crc24(data)) {
				return "the checksum of the armor is wrong"
			}
			summed = true
		default:
			body = append(body, line...)
		}
	}
	return "the armor has no last line"
}

// crc24 is the checksum of armor (RFC 9580, section 6.1.1).
func crc24(data []byte) []byte {
	crc := uint32(0xb704ce)
	for _, b := range data {
		crc ^= uint32(b) << 16
		for range 8 {
			if crc <<= 1; crc&0x1000000 != 0 {
				crc ^= 0x1864cfb
			}
		}
	}
	return []byte{byte(crc >> 16), byte(crc >> 8), byte(crc)}
}

func because(err error) string {
	if err == nil || err == io.EOF {
		return ""
	}
	return " (" + printable.Line(err.Error(), 200) + ")"
}
