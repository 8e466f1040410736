// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// A single verification cannot be interrupted. A server chooses the keys, the
// number of signatures on themselves, and the sizes of all numbers. The work is
// therefore estimated before it is done, and keys that need too much are not
// used. The estimates are a little above what go-crypto 1.5.2 takes on a busy core of a
// server of 2024: the dearest document that they allow took 1.4 s of it.
const (
	maxWork   = 1200 * time.Millisecond // to find the signer of one document
	maxScan   = 400 * time.Millisecond  // to list the packets of one armored key
	hashWork  = 4 * time.Nanosecond     // to hash a byte
	armorWork = 4 * time.Nanosecond     // to decode a byte of armor
)

// parseWork estimates the work to parse a packet.
func parseWork(tag uint8, contents []byte) time.Duration {
	const us = time.Microsecond
	work := 4*us + time.Duration(len(contents))*10*time.Nanosecond
	switch tag {
	case packetSignature:
		work += 4 * us
	case packetSecretKey, packetPublicKey, packetSecretSubkey, packetPublicSubkey:
		work += 10 * us // a point must be on its curve
		if len(contents) > 1000 {
			work += 140 * us // keys of ML-DSA and ML-KEM are expanded
		}
	}
	return work
}

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
		if work, ok := curveWork[curve]; ok {
			return work
		}
		return 18_000 * us // without a fast implementation
	case packet.PubKeyAlgoElGamal, packet.PubKeyAlgoECDH, packet.PubKeyAlgoX25519, packet.PubKeyAlgoX448:
		return 10 * us // these do not sign
	case packet.PubKeyAlgoMldsa65Ed25519:
		return 250 * us
	case packet.PubKeyAlgoMldsa87Ed448:
		return 700 * us
	case packet.PubKeyAlgoSlhdsaShake128s:
		return 2500 * us
	default: // the dearest of SLH-DSA
		return 7000 * us
	}
}

// curveWork is the work to verify a signature by a key on a curve.
var curveWork = map[packet.Curve]time.Duration{
	packet.Curve25519:         150 * time.Microsecond,
	packet.CurveNistP256:      200 * time.Microsecond,
	packet.Curve448:           500 * time.Microsecond,
	packet.CurveNistP384:      1500 * time.Microsecond,
	packet.CurveNistP521:      4000 * time.Microsecond,
	packet.CurveSecP256k1:     6000 * time.Microsecond,
	packet.CurveBrainpoolP256: 7000 * time.Microsecond,
	packet.CurveBrainpoolP384: 14_000 * time.Microsecond,
	packet.CurveBrainpoolP512: 18_000 * time.Microsecond,
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
