// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

// FindFirst is first, for tests.
func (s *Sums) FindFirst(name string) (Hash, error) { return s.first(name) }
