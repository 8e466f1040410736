// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build darwin || freebsd

package install

import (
	"io/fs"
	"slices"
	"syscall"
)

// changeOf returns what the system records about a file.
func changeOf(info fs.FileInfo) (c change, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return change{}, false
	}
	return change{nanoseconds: st.Ctimespec.Nano(), inode: st.Ino, device: uint64(st.Dev), owner: int(st.Uid)}, true
}

// The file systems whose times of change can be relied on. Those of networks have
// clocks of their own and show changes late; FAT has no such time.
var goodFileSystems = []string{"apfs", "hfs", "ufs", "zfs", "tmpfs"}

// keepsChanges reports whether the file system of a directory keeps the time of the
// last change of its files.
func keepsChanges(dir string) bool {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return false
	}
	var name []byte
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return slices.Contains(goodFileSystems, string(name))
}
