// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

// InWindows returns a Redactor that reads short documents as it reads long ones.
func InWindows(r Redactor) Redactor {
	r.windows = true
	return r
}
