// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

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
	return change{nanoseconds: st.Ctim.Nano(), inode: st.Ino, device: uint64(st.Dev), owner: int(st.Uid)}, true
}

// The file systems whose times of change can be relied on, as statfs(2) numbers them.
// Those of networks and of other machines have clocks of their own and show changes
// late; FAT has no such time.
var goodFileSystems = []uint32{
	0xef53,     // ext2, ext3, ext4
	0x58465342, // XFS
	0x9123683e, // Btrfs
	0x2fc12fc1, // ZFS
	0xf2f52010, // F2FS
	0xca451a4e, // bcachefs
	0x01021994, // tmpfs
	0x794c7630, // overlayfs
}

// keepsChanges reports whether the file system of a directory keeps the time of the
// last change of its files.
func keepsChanges(dir string) bool {
	var st syscall.Statfs_t
	return syscall.Statfs(dir, &st) == nil && slices.Contains(goodFileSystems, uint32(st.Type))
}
