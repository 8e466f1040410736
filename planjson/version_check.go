// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// ErrVersion is the cause of an [*Error] that says that a document has another
// major version than those this package was made for, or none although it
// must have one.
var ErrVersion = errors.New("unsupported format version")

// checkVersion returns an error unless the major version is at most 1. All
// documents are at major version 1 today; 0 was the same format before
// Terraform 1.1. A newer minor version only adds members.
func checkVersion(src *wire.Source, member, version string, optional bool) error {
	if version == "" && optional {
		return nil
	}
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.ParseUint(major, 10, 32); err == nil && n <= 1 && major[0] != '+' {
		return nil
	}
	if version == "" {
		return placed(src, "/"+member, fmt.Errorf("%w: there is none", ErrVersion))
	}
	return placed(src, "/"+member, fmt.Errorf("%w %q", ErrVersion, version))
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. Decoding accepts such a plan; a program
// that acts on plans should call this first, as the format's documentation
// asks: a new major version may give known members another meaning. Newer
// minor versions pass. The error for nil wraps [ErrAbsent].
func (p *Plan) CheckVersion() error {
	if p == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&p.src, "format_version", p.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *State) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *Schemas) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (f *Functions) CheckVersion() error {
	if f == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&f.src, "format_version", f.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1. A document without a version passes: that is how
// Terraform before 0.15 wrote it. See [Plan.CheckVersion].
func (v *Validate) CheckVersion() error {
	if v == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&v.src, "format_version", v.FormatVersion, true)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1. A document without a version passes: only the
// previews of Terraform 1.17 write one. See [Plan.CheckVersion].
func (v *Version) CheckVersion() error {
	if v == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&v.src, "format_version", v.FormatVersion, true)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (m *Modules) CheckVersion() error {
	if m == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&m.src, "format_version", m.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *StateShow) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (w *Workspaces) CheckVersion() error {
	if w == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&w.src, "format_version", w.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format of the
// plan or of the schemas is of a major version above 1, or of none. See
// [Plan.CheckVersion].
func (p *RendererPlan) CheckVersion() error {
	if p == nil {
		return &Error{Err: ErrAbsent}
	}
	return cmp.Or(
		checkVersion(&p.src, "plan_format_version", p.PlanFormatVersion, false),
		checkVersion(&p.src, "provider_format_version", p.ProviderFormatVersion, false),
	)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format of the
// state or of the schemas is of a major version above 1, or of none. See
// [Plan.CheckVersion].
func (s *RendererState) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return cmp.Or(
		checkVersion(&s.src, "state_format_version", s.StateFormatVersion, false),
		checkVersion(&s.src, "provider_format_version", s.ProviderFormatVersion, false),
	)
}
