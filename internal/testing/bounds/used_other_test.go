// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package bounds

import "time"

var begun = time.Now()

// used returns the time since the process began, in microseconds, where its processor time is not to be had.
func used() int64 { return time.Since(begun).Microseconds() }
