// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

func TestParts(t *testing.T) {
	a, err := addrs.ParseAbsResourceInstance(`module.net["e.u"].module.x[3].data.aws_ami.base["a\"$${b"]`)
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		a.Module().String():               `module.net["e.u"].module.x[3]`,
		a.Module().Module().String():      `module.net.module.x`,
		a.Module().Parent().String():      `module.net["e.u"]`,
		a.Resource().String():             `data.aws_ami.base`,
		string(a.Resource().Mode()):       `data`,
		a.Resource().Type():               `aws_ami`,
		a.Resource().Name():               `base`,
		a.Instance().String():             `data.aws_ami.base["a\"$${b"]`,
		a.Instance().Resource().String():  `data.aws_ami.base`,
		a.Config().String():               `module.net.module.x.data.aws_ami.base`,
		a.AbsResource().Config().String(): `module.net.module.x.data.aws_ami.base`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if k, ok := a.Key().Str(); !ok || k != `a"${b` {
		t.Errorf("key %q, %v", k, ok)
	}
}
