// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tools has the versions of the programs that .ci/run uses, in its
// go.mod. This installs them:
//
//	go install -C tools tool
package tools
