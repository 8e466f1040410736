// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

// A provider package, and the hashes that tofu recorded for it and some others.
var (
	//go:embed testdata/checksum/terraform-provider-widget_1.0.0_linux_amd64.zip
	checksumPackage []byte

	//go:embed testdata/checksum/hashes.json
	checksumRecorded []byte
)

// showChecksum hashes a provider package and compares it with the hashes that
// tofu recorded for all packages.
func showChecksum(w io.Writer) error {
	const name = "terraform-provider-widget_1.0.0_linux_amd64.zip"
	r := bytes.NewReader(checksumPackage)
	p, err := checksum.Hasher{}.ZipReaderAt(context.Background(), name, r, r.Size())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d bytes, %d files\n", p.Name, p.Size, p.Files)
	for _, h := range p.Hashes() {
		fmt.Fprintln(w, " ", h)
	}

	var recorded []struct {
		Zip    string
		H1, ZH checksum.Hash
	}
	if err := json.Unmarshal(checksumRecorded, &recorded); err != nil {
		return err
	}
	outcomes := make(map[addrs.Verdict]int)
	for _, other := range recorded {
		v := checksum.Verify(p, []checksum.Hash{other.H1, other.ZH})
		outcomes[v.Verdict]++
		if v.Verdict == addrs.Match {
			fmt.Fprintln(w, "match with what tofu recorded for", other.Zip)
		}
	}
	fmt.Fprintf(w, "%v with %d others\n", addrs.Mismatch, outcomes[addrs.Mismatch])
	fmt.Fprintf(w, "%v by a hash of a newer scheme\n", checksum.Verify(p, []checksum.Hash{"h2:x"}).Verdict)
	return nil
}
