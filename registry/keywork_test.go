// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"context"
	"crypto"
	"crypto/dsa" //lint:ignore SA1019 a server may send such a key, and checking it is what costs
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/tofuwire/tofuwire/addrs"
)

var past = time.Now().Add(-48 * time.Hour)

// dearKey returns a DSA key of 4096 bits with n signatures of itself. Its modulus
// is not a prime, which costs the verifier as much.
func dearKey(t *testing.T, n int) string {
	t.Helper()
	q, err := rand.Prime(rand.Reader, 512)
	if err != nil {
		t.Fatal(err)
	}
	p := new(big.Int).Mul(q, new(big.Int).SetBit(new(big.Int), 4096-512, 1))
	p.Add(p, big.NewInt(1))
	x := big.NewInt(3)
	g := new(big.Int).Exp(big.NewInt(2), q, p)
	private := &dsa.PrivateKey{PublicKey: dsa.PublicKey{Parameters: dsa.Parameters{P: p, Q: q, G: g}, Y: new(big.Int).Exp(g, x, p)}, X: x}
	key := packet.NewDSAPrivateKey(past, private)
	id := packet.NewUserId("a", "", "b@c.example")
	var block bytes.Buffer
	if err := errors.Join(key.PublicKey.Serialize(&block), id.Serialize(&block)); err != nil {
		t.Fatal(err)
	}
	sig := &packet.Signature{
		Version: 4, SigType: packet.SigTypePositiveCert, PubKeyAlgo: packet.PubKeyAlgoDSA, Hash: crypto.SHA512, CreationTime: past,
		IssuerKeyId: &key.KeyId, FlagsValid: true, FlagSign: true, FlagCertify: true,
	}
	if err := sig.SignUserId(id.Id, &key.PublicKey, key, nil); err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := sig.Serialize(&block); err != nil {
			t.Fatal(err)
		}
	}
	return armored(t, block.Bytes())
}

func armored(t *testing.T, block []byte) string {
	t.Helper()
	var text bytes.Buffer
	w, err := armor.Encode(&text, openpgp.PublicKeyType, nil)
	if err == nil {
		_, err = w.Write(block)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// newEntity returns a key and its armored form.
func newEntity(t *testing.T, config *packet.Config) (*openpgp.Entity, string) {
	t.Helper()
	config.Time = func() time.Time { return past }
	e, err := openpgp.NewEntity("name", "", "e@x.example", config)
	if err != nil {
		t.Fatal(err)
	}
	var block bytes.Buffer
	if err := e.Serialize(&block); err != nil {
		t.Fatal(err)
	}
	return e, armored(t, block.Bytes())
}

func signDocument(t *testing.T, e *openpgp.Entity, document []byte) []byte {
	t.Helper()
	var sig bytes.Buffer
	if err := openpgp.DetachSign(&sig, e, bytes.NewReader(document), &packet.Config{Time: func() time.Time { return past.Add(time.Hour) }}); err != nil {
		t.Fatal(err)
	}
	return sig.Bytes()
}

// A key that is dear to verify is not used, and does not hide the good one after
// it. Estimates grow with what there is to verify.
func TestCheckSignature_expensiveKeys(t *testing.T) {
	document := []byte("a document")
	e, good := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	sig := signDocument(t, e, document)
	c := &Client{}
	v, err := c.checkSignature(t.Context(), []SigningKey{{ASCIIArmor: dearKey(t, 200)}, {ASCIIArmor: good}}, document, sig)
	if err != nil || v.err != nil || v.signer == nil {
		t.Fatalf("got %+v, %v", v, err)
	}
	if len(v.findings) != 1 || !strings.Contains(v.findings[0], "cannot be read: it has so many packets and self-signatures") {
		t.Errorf("findings %q", v.findings)
	}
	// Keys that are each just cheap enough are together too dear.
	almost := dearKey(t, 30)
	ring := scanKeys(almost)
	if ring.refused != nil || ring.work < maxWork/4 {
		t.Fatalf("work %s, %v", ring.work, ring.err)
	}
	var many []SigningKey
	for i := range maxKeys {
		many = append(many, SigningKey{ASCIIArmor: fmt.Sprintf("%s\n# %d\n", almost, i)})
	}
	c = &Client{}
	v, err = c.checkSignature(t.Context(), many, document, sig)
	if err != nil || !errors.Is(v.err, ErrBadSignature) || !strings.Contains(v.err.Error(), "would take too long") {
		t.Errorf("got %+v, %v", v, err)
	}
	read := 0
	for _, call := range c.answers.rings.calls {
		if call.val.keys != nil || call.val.err != nil {
			read++
		}
	}
	if read > int(maxWork/ring.work) {
		t.Errorf("%d keys were read", read)
	}
	// A context that ended ends it between two keys.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c = &Client{}
	if _, err := c.checkSignature(ctx, many, document, sig); !errors.Is(err, context.Canceled) || len(c.answers.rings.calls) != 0 {
		t.Errorf("got %v after %d keys", err, len(c.answers.rings.calls))
	}
	// The same key many times is read once.
	c = &Client{}
	for i := range many {
		many[i].ASCIIArmor = good
	}
	if v, err := c.checkSignature(t.Context(), many, document, sig); err != nil || v.err != nil || len(c.answers.rings.calls) != 1 {
		t.Errorf("got %+v, %v after %d keys", v, err, len(c.answers.rings.calls))
	}
}

// ringWork is the estimate of a block, without that for its packets.
func ringWork(body []byte) time.Duration {
	r := &keyRing{body: body, ids: map[uint64]bool{}, alien: map[addrs.Tool]bool{}}
	if r.scan() != nil {
		return 0
	}
	return r.work - r.scanned
}

// The estimate counts the signatures that are verified, and no others.
func TestRingWork(t *testing.T) {
	work := func(n int) time.Duration {
		block, err := armor.Decode(strings.NewReader(dearKey(t, n)))
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(block.Body); err != nil {
			t.Fatal(err)
		}
		return ringWork(body.Bytes())
	}
	if one, two := work(1), work(2); two != 2*one || one < 5*time.Millisecond {
		t.Errorf("one signature %s, two %s", one, two)
	}
	e, _ := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	if err := e.AddSigningSubkey(nil); err != nil {
		t.Fatal(err)
	}
	other, _ := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	for name := range e.Identities {
		if err := e.SignIdentity(name, other, nil); err != nil {
			t.Fatal(err)
		}
	}
	var body bytes.Buffer
	if err := e.Serialize(&body); err != nil {
		t.Fatal(err)
	}
	// Its user ID, an encryption subkey, and a signing subkey both ways: what the
	// other key signed is not verified.
	if got, want := ringWork(body.Bytes()), 3*verifyWork(e.PrimaryKey)+verifyWork(e.Subkeys[1].PublicKey); got < want || got > want+time.Microsecond {
		t.Errorf("got %s, want %s", got, want)
	}
	if ringWork([]byte("\xff\xff\xff")) != 0 {
		t.Error("garbage costs something")
	}
}

// A key with forty self-signatures is read, on any curve, and certifications by others
// do not count, however many they are.
func TestScanKeys_honest(t *testing.T) {
	for curve := range curveWork {
		config := &packet.Config{Algorithm: packet.PubKeyAlgoECDSA, Curve: curve}
		if curve == packet.Curve25519 || curve == packet.Curve448 {
			config.Algorithm = packet.PubKeyAlgoEdDSA
		}
		e, _ := newEntity(t, config)
		var block bytes.Buffer
		if err := e.PrimaryKey.Serialize(&block); err != nil {
			t.Fatal(err)
		}
		for _, id := range e.Identities {
			err := id.UserId.Serialize(&block)
			for range 40 {
				err = errors.Join(err, id.SelfSignature.Serialize(&block))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r := scanKeys(armored(t, block.Bytes()))
		if document := verifyWork(e.PrimaryKey); r.refused != nil || r.work < 40*document || r.scanned+r.work+document > maxWork {
			t.Errorf("%s: %v, %s", curve, r.refused, r.work)
		}
	}
	e, _ := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	other, _ := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	for name, id := range e.Identities {
		if err := e.SignIdentity(name, other, nil); err != nil {
			t.Fatal(err)
		}
		certification := id.Signatures[len(id.Signatures)-1]
		for range 3000 {
			id.Signatures = append(id.Signatures, certification)
		}
	}
	var block bytes.Buffer
	if err := e.Serialize(&block); err != nil {
		t.Fatal(err)
	}
	text := armored(t, block.Bytes())
	document := []byte("a document")
	v, err := (&Client{}).checkSignature(t.Context(), []SigningKey{{ASCIIArmor: text}}, document, signDocument(t, e, document))
	if err != nil || v.err != nil || len(text) < 256<<10 {
		t.Errorf("%d bytes: %+v, %v", len(text), v, err)
	}
}

// Weak keys are worth a warning, or refused if the policy says so.
func TestPolicy_strength(t *testing.T) {
	document := []byte("a document")
	tests := []struct {
		bits    uint16
		least   int
		warning bool
		ok      bool
	}{{1024, 0, true, true}, {1024, 2048, false, false}, {2048, 0, false, true}, {2048, 2048, false, true}, {2048, 3072, false, false}}
	entities := map[uint16]*openpgp.Entity{}
	texts := map[uint16]string{}
	for _, tt := range tests {
		if entities[tt.bits] == nil {
			entities[tt.bits], texts[tt.bits] = newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: int(tt.bits)})
		}
		c := &Client{Policy: Policy{MinKeyBits: tt.least}}
		v, err := c.checkSignature(t.Context(), []SigningKey{{ASCIIArmor: texts[tt.bits]}}, document, signDocument(t, entities[tt.bits], document))
		if err != nil {
			t.Fatal(err)
		}
		if (v.err == nil) != tt.ok || (len(v.findings) > 0) != tt.warning {
			t.Errorf("%d bits, at least %d: %v, %q", tt.bits, tt.least, v.err, v.findings)
		}
		if !tt.ok && !strings.Contains(v.err.Error(), fmt.Sprintf("%d bits", tt.bits)) {
			t.Errorf("got %v", v.err)
		}
	}
	// A key of another kind has no such size.
	e, text := newEntity(t, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	c := &Client{Policy: Policy{MinKeyBits: 4096}}
	if v, err := c.checkSignature(t.Context(), []SigningKey{{ASCIIArmor: text}}, document, signDocument(t, e, document)); err != nil || v.err != nil || len(v.findings) > 0 {
		t.Errorf("got %+v, %v", v, err)
	}
}

// A host that does not answer holds up its own requests, and those of no other.
func TestSlots(t *testing.T) {
	var s slots
	const n = 2
	take := func(origin string) func() {
		t.Helper()
		release, err := s.acquire(t.Context(), origin, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		return release
	}
	first, second := take("slow"), take("slow")
	order := make(chan int, 3)
	done := make(chan func(), 3)
	for i := range 3 {
		go func() {
			release, err := s.acquire(context.WithoutCancel(t.Context()), "slow", n, 0)
			if err != nil {
				t.Error(err)
			}
			order <- i
			done <- release
		}()
		waitUntil(t, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.origins["slow"].queue) == i+1 })
	}
	take("fast")() // not held up
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.acquire(ctx, "slow", n, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	first()
	for i := range 3 {
		if got := <-order; got != i {
			t.Errorf("number %d was served as number %d", got, i)
		}
		(<-done)()
	}
	second()
	// In all, there are slots for so many origins; who waits for a server gives
	// its slot back.
	var held []func()
	for i := range originsAtOnce * n {
		release, err := s.acquire(t.Context(), fmt.Sprint("silent", i), n, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, release)
	}
	take("fast")()
	for _, release := range held {
		release()
	}
	if s.used != 0 || len(s.origins) != 0 || len(s.ring) != 0 {
		t.Errorf("%d in use, %d origins, %d waiting", s.used, len(s.origins), len(s.ring))
	}
}

func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	for range 60_000 {
		if ok() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("it does not happen")
}
