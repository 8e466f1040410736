// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"io/fs"
	"syscall"
)

// changeOf returns what the system records about a file.
func changeOf(info fs.FileInfo) (c change, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return change{}, false
	}
	return change{nanoseconds: st.Ctim.Nano(), inode: st.Ino, device: uint64(st.Dev), owner: int(st.Uid)}, true
}

// keepsChanges reports whether the file system of a directory keeps the time of the
// last change of its files. Those of networks and FAT do not, or not with our clock.
func keepsChanges(dir string) bool {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return false
	}
	const name = "ffs" // the only local one that does
	for i := range len(name) {
		if byte(st.F_fstypename[i]) != name[i] {
			return false
		}
	}
	return st.F_fstypename[len(name)] == 0
}
