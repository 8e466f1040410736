// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package benchmarks

import "time"

var processStart = time.Now()

// cpuTime returns the wall clock, for want of a portable processor time.
func cpuTime() time.Duration { return time.Since(processStart) }
