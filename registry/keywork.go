// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"io"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// A single verification cannot be interrupted. A server chooses the keys, the
// number of signatures on themselves, and the sizes of all numbers. The work is
// therefore estimated before it is done, and keys that need too much are not
// used. The estimates are those of a slow computer.
const (
	maxKeyWork       = 100 * time.Millisecond // to read one armored key
	maxSignatureWork = 400 * time.Millisecond // to find the signer of one document
	hashWork         = 4 * time.Nanosecond    // to hash a byte
)

// verifyWork estimates the work to verify one signature by pk.
func verifyWork(pk *packet.PublicKey) time.Duration {
	const us = time.Microsecond
	switch pk.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSASignOnly, packet.PubKeyAlgoRSAEncryptOnly, packet.PubKeyAlgoDSA:
		bits, err := pk.BitLength()
		if err != nil {
			return 10 * us
		}
		kilobits := float64(bits) / 1000
		if pk.PubKeyAlgo == packet.PubKeyAlgoDSA {
			// Two exponentiations by numbers of up to 512 bits.
			return time.Duration(kilobits * kilobits * 700 * float64(us))
		}
		// One exponentiation by a number of up to 24 bits.
		return time.Duration(kilobits * kilobits * 20 * float64(us))
	case packet.PubKeyAlgoECDSA, packet.PubKeyAlgoEdDSA, packet.PubKeyAlgoEd25519, packet.PubKeyAlgoEd448:
		curve, err := pk.Curve()
		if err != nil {
			return 10 * us
		}
		switch curve {
		case packet.Curve25519, packet.CurveNistP256:
			return 200 * us
		case packet.CurveNistP384, packet.Curve448:
			return 2000 * us
		case packet.CurveNistP521:
			return 4000 * us
		default: // without a fast implementation
			return 20_000 * us
		}
	case packet.PubKeyAlgoElGamal, packet.PubKeyAlgoECDH, packet.PubKeyAlgoX25519, packet.PubKeyAlgoX448:
		return 10 * us // these do not sign
	default:
		return 10_000 * us
	}
}

// ringWork estimates the work to read the key block body: each signature of a
// key on itself is verified.
func ringWork(body []byte) time.Duration {
	var primary, sub *packet.PublicKey
	afterUser := false // the signatures are about a user ID
	total := time.Duration(0)
	packets := packet.NewOpaqueReader(bytes.NewReader(body))
	for {
		opaque, err := packets.Next()
		if err == io.EOF || err != nil {
			return total
		}
		p, err := opaque.Parse()
		if err != nil {
			continue
		}
		switch p := p.(type) {
		case *packet.PublicKey:
			primary, sub, afterUser = place(primary, p)
		case *packet.PrivateKey:
			primary, sub, afterUser = place(primary, &p.PublicKey)
		case *packet.UserId:
			sub, afterUser = nil, true
		case *packet.Signature:
			switch {
			case primary == nil:
			case sub != nil:
				total += verifyWork(primary)
				if p.FlagSign && p.EmbeddedSignature != nil {
					total += verifyWork(sub)
				}
			case !afterUser || p.CheckKeyIdOrFingerprint(primary):
				total += verifyWork(primary)
			}
		}
	}
}

// place returns the primary key and the subkey that the packets after pk
// concern.
func place(primary, pk *packet.PublicKey) (*packet.PublicKey, *packet.PublicKey, bool) {
	if pk.IsSubkey {
		return primary, pk, false
	}
	return pk, nil, false
}

// checkWork estimates the work to check one signature of a document of size
// bytes with the keys of the ring that the signature names.
func checkWork(ring openpgp.EntityList, issuer uint64, size int) time.Duration {
	total := time.Duration(0)
	for _, key := range ring.KeysById(issuer) {
		total += verifyWork(key.PublicKey)
	}
	if total > 0 {
		total += time.Duration(size) * hashWork
	}
	return total
}
