// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bytes"
	"crypto"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/tofuwire/tofuwire/registry/install"
)

// useKey makes a registry sign with the key of a file, and creates the file if it
// does not exist.
func useKey(reg *install.StaticRegistry, filename string, stdout io.Writer) error {
	src, err := os.ReadFile(filename)
	if errors.Is(err, fs.ErrNotExist) {
		if src, err = newKey(); err == nil {
			err = os.WriteFile(filename, src, 0o600)
		}
		if err == nil {
			fmt.Fprintf(stdout, "%s: a new key; keep it, and keep it secret\n", filename)
		}
	}
	if err != nil {
		return err
	}
	ring, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(src))
	if err != nil {
		return fmt.Errorf("%s: %w", filename, err)
	}
	if len(ring) != 1 || ring[0].PrivateKey == nil || ring[0].PrivateKey.Encrypted {
		return fmt.Errorf("%s: the file must contain exactly one private key, without a passphrase", filename)
	}
	key := ring[0]
	var public bytes.Buffer
	w, err := armor.Encode(&public, openpgp.PublicKeyType, nil)
	if err == nil {
		err = errors.Join(key.Serialize(w), w.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filename, err)
	}
	reg.KeyID, reg.Key = fmt.Sprintf("%016X", key.PrimaryKey.KeyId), public.String()+"\n"
	reg.Sign = func(document []byte) ([]byte, error) {
		var b bytes.Buffer
		err := openpgp.DetachSign(&b, key, bytes.NewReader(document), &packet.Config{DefaultHash: crypto.SHA512})
		return b.Bytes(), err
	}
	return nil
}

// newKey makes a key that all versions of the tools can read.
func newKey() ([]byte, error) {
	key, err := openpgp.NewEntity("Provider registry", "", "", &packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: 3072, DefaultHash: crypto.SHA512})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PrivateKeyType, nil)
	if err == nil {
		err = errors.Join(key.SerializePrivate(w, nil), w.Close())
	}
	return append(b.Bytes(), '\n'), err
}
