// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// Locks returns the locks of the lock file called name, or nothing if there is none.
func Locks(name string) (lockfile.Locks, error) {
	file, err := lockfile.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return file.Locks(), nil
}

// Prior returns the locks by which a tool selects versions, given those of the file.
// OpenTofu also goes by the locks that Terraform made for the providers in the
// namespace hashicorp.
func Prior(locks lockfile.Locks, tool addrs.Tool) lockfile.Locks {
	if tool == addrs.OpenTofu {
		return lockfile.FromTerraform(locks)
	}
	return locks
}

// SetLocks sets locks that were made of what the file had before. A hash that the
// file gained meanwhile stays. If a version changed meanwhile, that is an error.
func SetLocks(file *lockfile.File, before lockfile.Locks, locks []lockfile.Lock) error {
	now := file.Locks()
	var merged []lockfile.Lock
	for _, l := range locks {
		old, _ := before.Get(l.Provider)
		current, _ := now.Get(l.Provider)
		if current.Version == l.Version {
			gained := slices.DeleteFunc(slices.Clone(current.Hashes), func(h lockfile.Hash) bool { return slices.Contains(old.Hashes, h) })
			l.Hashes = lockfile.UnionHashes(gained, l.Hashes)
		} else if current.Version != old.Version {
			return fmt.Errorf("%s: another program has changed the lock of %s to version %s; run this again", file.Filename(), l.Provider.ForDisplay(), current.Version)
		}
		merged = append(merged, l)
	}
	return file.Set(merged...)
}
