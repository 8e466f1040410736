// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tools and the folders below it have what people who work on this
// repository run, and what no test of the library needs: record makes the
// recordings of real tools, verdict and langverdict ask real tools about
// configuration. Its go.mod has the versions of the programs that .ci/run uses.
// This installs them:
//
//	go install -C tools tool
package tools
