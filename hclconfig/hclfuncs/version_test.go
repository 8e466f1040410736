// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs_test

import "github.com/tofuwire/tofuwire/addrs"

func mustVersion(text string) addrs.Version {
	v, err := addrs.ParseVersion(text)
	if err != nil {
		panic(err)
	}
	return v
}
