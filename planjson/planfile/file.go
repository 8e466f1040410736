// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// Options configure Open. The zero value is for a plan that is not encrypted.
type Options struct {
	// Tool is the tool that wrote the plan. If empty, it is detected from the lock file in
	// the plan, and from members that only one of the tools writes.
	Tool addrs.Tool

	// Encryption decrypts the plan if it is encrypted. If nil, an encrypted plan is an error that
	// wraps [ErrEncrypted]. [statefile.Decrypt] decrypts with a passphrase alone.
	Encryption *statefile.Encryption
}

// A File is a saved plan. It may be used by several goroutines at the same time.
type File struct {
	archive *archive
	tool    addrs.Tool // as asked for

	// The entries that several methods need, read once.
	planOnce    func() (*message, error)
	lock        func() (*lockfile.File, error)
	modulesOnce func() ([]Module, error)
}

// Open opens a saved plan, a file that "plan -out" has written. It reads only the names of the
// archive's entries. The File keeps src, which must not be changed.
//
// The error is an [*Error]: it wraps [ErrKind] for a text that is not a saved plan, [ErrEncrypted],
// [ErrLimit], or [ErrInvalid] for a damaged archive; or it is that of [statefile.Encryption].
func Open(src []byte, o Options) (*File, error) {
	if o.Encryption != nil && planjson.KindOf(src) == planjson.DocumentEncrypted {
		clear, err := o.Encryption.Decrypt(context.Background(), src)
		if err != nil {
			return nil, err
		}
		src = clear
	}
	a, err := openArchive(src)
	if err != nil {
		return nil, err
	}
	f := &File{archive: a, tool: o.Tool}
	f.planOnce = sync.OnceValues(f.readPlan)
	f.lock = sync.OnceValues(f.readLock)
	f.modulesOnce = sync.OnceValues(f.readModules)
	return f, nil
}

// opened returns an error if f is nil or zero: only Open makes a File.
func (f *File) opened() error {
	if f == nil || f.archive == nil {
		return &Error{Offset: -1, Err: invalid("there is no plan")}
	}
	return nil
}

func (f *File) plan() (*message, error) {
	if err := f.opened(); err != nil {
		return nil, err
	}
	return f.planOnce()
}

func (f *File) readPlan() (*message, error) {
	if err := f.archive.complete(); err != nil {
		return nil, err
	}
	src, err := f.archive.read(entryPlan)
	if err != nil {
		return nil, err
	}
	m, err := readPlan(src)
	if err != nil {
		return nil, inEntry(entryPlan, err)
	}
	return m, nil
}

// readLock reads the lock file. A plan without one has no locks.
func (f *File) readLock() (*lockfile.File, error) {
	src, err := f.archive.read(entryLock)
	if err != nil || src == nil {
		return lockfile.New(entryLock, f.tool), err
	}
	lock, err := lockfile.Parse(entryLock, src)
	if err != nil {
		return nil, inEntry(entryLock, invalid("%w", err))
	}
	return lock, nil
}

// release returns the tool and the version that wrote the plan. The lock file names the tool in its
// comment. Without it, what only one tool writes tells, see [File.toolOf].
func (f *File) release() (release, error) {
	m, err := f.plan()
	if err != nil {
		return release{}, err
	}
	tool := f.tool
	if tool == "" && f.archive.entries[entryLock] != nil {
		lock, err := f.lock()
		if err != nil {
			return release{}, err
		}
		tool = lock.Tool()
	}
	if tool == "" {
		tool = f.toolOf(m)
	}
	r, err := releaseOf(tool, m.release)
	if err != nil {
		return r, inEntry(entryPlan, inField("terraform_version", err))
	}
	return r, nil
}

// toolOf returns the tool that must have written a plan without a lock file: the fields applyable and
// complete are Terraform's, identities and schemas OpenTofu's, and there is no OpenTofu before
// 1.6. Otherwise it is the tool whose registry most providers have: those of the changes, or of the state
// if nothing changes, as in a plan that only refreshes.
func (f *File) toolOf(m *message) addrs.Tool {
	if m.applyable != nil || m.complete != nil {
		return addrs.Terraform
	}
	if m.hasIdentity || f.archive.entries[entrySchemas] != nil {
		return addrs.OpenTofu
	}
	if _, err := releaseOf(addrs.OpenTofu, m.release); err != nil {
		return addrs.Terraform
	}
	hosts := 0 // of Terraform's registry, less those of OpenTofu's
	for _, r := range slices.Concat(m.changes, m.drift) {
		hosts += sideOf(r.provider)
	}
	if hosts == 0 {
		if state, err := f.PriorState(); err == nil { // an error is that of the whole plan, later
			for i := range state.All() {
				if p, err := i.ProviderAddr(); err == nil {
					hosts += sideOf(p.Provider())
				}
			}
		}
	}
	if hosts > 0 {
		return addrs.Terraform
	}
	return addrs.OpenTofu
}

// sideOf returns 1 for a provider of Terraform's registry, and -1 for one of OpenTofu's.
func sideOf(p addrs.Provider) int {
	switch p.Host() {
	case addrs.TerraformHost:
		return 1
	case addrs.DefaultHost:
		return -1
	}
	return 0
}

// A Mode is the purpose for which a plan was made. It is an open enumeration.
// Its values include [Normal], [Destroy] and [RefreshOnly].
type Mode string

// The modes.
const (
	Normal      Mode = "normal"
	Destroy     Mode = "destroy"      // plan -destroy
	RefreshOnly Mode = "refresh-only" // plan -refresh-only
)

// A Header contains data about a saved plan and how it was made. The document that "show -json"
// prints lacks most of it.
type Header struct {
	Tool      addrs.Tool    // which wrote the plan
	Version   addrs.Version // of the tool
	Timestamp time.Time     // when the plan was made, in UTC; zero before OpenTofu 1.6 and Terraform 1.5
	Mode      Mode
	Errored   bool // planning failed, and the plan has only a part of the changes

	// Targets and Excludes are the addresses of the options -target and -exclude, and Replace
	// those of -replace, as the tool writes them.
	Targets, Excludes, Replace []string

	// Backend is the backend of the state after apply.
	Backend Backend

	// Providers are those of the plan's lock file, with the locked versions.
	Providers lockfile.Locks
}

// A Backend describes where the state is stored.
type Backend struct {
	Type      string // such as "local" or "s3"
	Workspace string

	config dynamic
}

// Config returns the settings of the backend, as JSON. They can contain secrets.
func (b Backend) Config() (planjson.Value, error) {
	if !b.config.isSet {
		return planjson.Value("null"), nil
	}
	v, err := b.config.value(cty.NilType)
	if err != nil {
		return nil, inEntry(entryPlan, inField("backend.config", err))
	}
	return known{}.append(nil, v), nil
}

// Header returns data about the plan: see [Header]. It needs no schemas. The error is an
// [*Error].
func (f *File) Header() (*Header, error) {
	m, err := f.plan()
	if err != nil {
		return nil, err
	}
	r, err := f.release()
	if err != nil {
		return nil, err
	}
	lock, err := f.lock()
	if err != nil {
		return nil, err
	}
	h := &Header{
		Tool: r.tool, Mode: modes[m.mode], Errored: m.errored, Targets: m.targets, Excludes: m.excludes, Replace: m.forced,
		Backend: m.backend, Providers: lock.Locks(),
	}
	h.Version, _ = addrs.ParseVersion(m.release)           // the release has been checked
	h.Timestamp, _ = time.Parse(time.RFC3339, m.timestamp) // as has the time; it may be absent
	return h, nil
}

// GeneratedConfig returns the configuration that "plan -generate-config-out" has written for
// imports, with the addresses of the resource instances as keys. It is empty if there is
// none.
func (f *File) GeneratedConfig() (map[string]string, error) {
	m, err := f.plan()
	if err != nil {
		return nil, err
	}
	out := make(map[string]string)
	for _, r := range m.changes {
		if r.change.generatedConfig != "" {
			out[r.address] = r.change.generatedConfig
		}
	}
	return out, nil
}

// PriorState returns the state after refreshing, and PreviousState the one before. In a first
// plan they have the serial 0 and no lineage. The error is an [*Error].
func (f *File) PriorState() (*statefile.File, error) { return f.state(entryPrior) }

// PreviousState is described at [File.PriorState].
func (f *File) PreviousState() (*statefile.File, error) { return f.state(entryPrevious) }

func (f *File) state(name string) (*statefile.File, error) {
	if err := f.opened(); err != nil {
		return nil, err
	}
	src, err := f.archive.read(name)
	if err == nil && src == nil {
		err = &Error{Entry: name, Offset: -1, Err: invalid("the plan lacks it")}
	}
	if err != nil {
		return nil, err
	}
	state, err := statefile.Decode(src)
	if err != nil {
		return nil, stateError(name, err)
	}
	return state, nil
}

// stateError gives an error of package statefile this package's type.
func stateError(entry string, err error) error {
	at := int64(-1)
	if e, ok := errors.AsType[*statefile.Error](err); ok && e.Line > 0 {
		at = e.Offset
	}
	return &Error{Entry: entry, Offset: at, Err: fmt.Errorf("%w: %w", ErrInvalid, err)}
}
