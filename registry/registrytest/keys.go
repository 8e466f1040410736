// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"sync"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// A Key is an OpenPGP key that signs checksum documents. Its methods are safe
// for concurrent use.
type Key struct {
	config *packet.Config

	mu     sync.Mutex // for the entity, which some ways to write it change
	entity *openpgp.Entity
}

// NewKey generates a key as of the time created. If lifetime is not zero, the
// key expires then.
func NewKey(name string, created time.Time, lifetime time.Duration) (*Key, error) {
	cfg := &packet.Config{
		Algorithm: packet.PubKeyAlgoEdDSA, Time: func() time.Time { return created },
		KeyLifetimeSecs: uint32(lifetime / time.Second),
	}
	e, err := openpgp.NewEntity(name, "registrytest", name+"@example.com", cfg)
	if err != nil {
		return nil, err
	}
	return &Key{config: cfg, entity: e}, nil
}

// ID returns the key ID in 16 upper-case hexadecimal digits.
func (k *Key) ID() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entity.PrimaryKey.KeyIdString()
}

// Armored returns the public keys of all the given keys in one armored block.
func Armored(keys ...*Key) string {
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	for _, k := range keys {
		if err == nil {
			err = k.serialize(w)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		// Writing to memory does not fail.
		panic("registrytest: " + err.Error())
	}
	return b.String()
}

// serialize writes the public key.
func (k *Key) serialize(w io.Writer) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entity.Serialize(w)
}

// Sign returns a detached binary signature of document as of the time at.
func (k *Key) Sign(document []byte, at time.Time) ([]byte, error) {
	return k.sign(document, &packet.Config{Time: func() time.Time { return at }})
}

func (k *Key) sign(document []byte, cfg *packet.Config) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var b bytes.Buffer
	err := openpgp.DetachSign(&b, k.entity, bytes.NewReader(document), cfg)
	return b.Bytes(), err
}

// revoke revokes the key.
func (k *Key) revoke() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entity.RevokeKey(packet.KeyCompromised, "lost", nil)
}

// privateArmor returns the whole key, which must never be published.
func (k *Key) privateArmor() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var b bytes.Buffer
	w := must(armor.Encode(&b, openpgp.PrivateKeyType, nil))
	must(0, k.entity.SerializePrivate(w, nil))
	must(0, w.Close())
	return b.String()
}

// addSubkey adds a subkey for signing. It makes all later signatures.
func (k *Key) addSubkey() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entity.AddSigningSubkey(k.config)
}

// armorSignature returns a signature in armor, which the protocol does not
// allow.
func armorSignature(sig []byte) []byte {
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.SignatureType, nil)
	if err == nil {
		_, err = w.Write(sig)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("registrytest: " + err.Error())
	}
	return b.Bytes()
}

// An authority makes certificates for any host name.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pem  []byte

	always *tls.Certificate // in place of all others, or nil

	mu     sync.Mutex
	leaves map[string]*tls.Certificate
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "registrytest"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{key: key, cert: cert, leaves: map[string]*tls.Certificate{},
		pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// leaf returns a certificate for a host name, or for the loopback addresses
// and localhost if it is empty.
func (a *authority) leaf(name string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.always != nil {
		return a.always, nil
	}
	if c, ok := a.leaves[name]; ok {
		return c, nil
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(a.leaves) + 2)), Subject: pkix.Name{CommonName: "registrytest server"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if name == "" {
		tmpl.DNSNames = []string{"localhost"}
		tmpl.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	} else {
		tmpl.DNSNames = []string{name}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	a.leaves[name] = c
	return c, nil
}

// noiseReader yields pseudo-random bytes without end, the same each time.
type noiseReader struct{ state uint64 }

func (r *noiseReader) Read(p []byte) (int, error) {
	for i := range p {
		r.state = r.state*6364136223846793005 + 1442695040888963407
		p[i] = byte(r.state >> 56)
	}
	return len(p), nil
}

var _ io.Reader = (*noiseReader)(nil)
