// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

// SplitConflict is for the fuzz target, which compares the sides with the merge.
var SplitConflict = splitConflict
