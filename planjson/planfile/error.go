// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// An Error says where and why a saved plan could not be read.
//
// An error contains no values of the plan. An address in it can have an instance key, which can
// be a secret.
type Error struct {
	Entry  string // of the archive; "" if the error is about the archive
	Offset int64  // in bytes from the beginning of the entry; -1 if there is no position in it
	Field  string // the field of the plan, such as resource_changes[3].change.values[0]; may be empty
	Err    error  // never nil
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	if e == nil || e.Err == nil {
		return "planfile: no error"
	}
	var b strings.Builder
	b.WriteString("planfile: ")
	if e.Entry != "" {
		fmt.Fprintf(&b, "entry %q", short(e.Entry))
		if e.Offset >= 0 {
			fmt.Fprintf(&b, ", offset %d", e.Offset)
		}
		if e.Field != "" {
			fmt.Fprintf(&b, " (%s)", e.Field)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Causes of an [Error], for use with errors.Is.
var (
	// ErrKind is the cause if the file is not a saved plan.
	ErrKind = statefile.ErrKind

	// ErrLimit is the cause if the archive, or something in it, is out of proportion: see the
	// comment of the package.
	ErrLimit = statefile.ErrLimit

	// ErrVersion is the cause if the version of the format is not 3, or if the release
	// that wrote the plan is older than OpenTofu 1.6 or Terraform 1.1, or not a valid
	// version.
	ErrVersion = errors.New("unsupported version of the plan")

	// ErrEncrypted is the cause if the plan is encrypted: [statefile.Decrypt] and
	// [statefile.Encryption] return its clear text.
	ErrEncrypted = statefile.ErrEncrypted

	// ErrInvalid is the cause if the tools would refuse the plan, or if no tool writes such a
	// plan.
	ErrInvalid = errors.New("invalid saved plan")

	// ErrSchemas is the cause if schemas are missing ([MissingError]), lack a type of a
	// provider, are of another version than the objects of the plan, or state another type than
	// a value has.
	ErrSchemas = errors.New("the schemas do not fit the plan")
)

// A Type is a resource type, or a provider's own configuration, in a provider's
// schemas.
type Type struct {
	Provider addrs.Provider // whose type it is
	Version  addrs.Version  // of the provider by the plan's lock file; the zero Version if it has none
	Mode     addrs.Mode     // "" for the provider's own configuration
	Name     string         // the resource type; "" for the provider's own configuration
}

// String returns the type with its provider, such as "registry.opentofu.org/hashicorp/random
// 3.6.0: random_pet".
func (t Type) String() string { return t.provider() + ": " + t.nameOnly() }

func (t Type) nameOnly() string {
	switch t.Mode {
	case "":
		return "provider configuration"
	case addrs.Managed:
		return t.Name
	}
	return string(t.Mode) + "." + t.Name
}

func (t Type) provider() string {
	if !t.Version.IsValid() {
		return t.Provider.String()
	}
	return t.Provider.String() + " " + t.Version.String()
}

// A MissingError is the cause of an [Error] if schemas that the plan needs are missing. It wraps
// [ErrSchemas].
type MissingError struct {
	Types []Type // sorted by provider; not empty
}

// Error lists the providers with their versions.
func (e *MissingError) Error() string {
	return "no schemas for " + strings.Join(e.Providers(), ", ")
}

// Providers returns the providers without schemas, each with the version in the plan's lock
// file: "registry.opentofu.org/hashicorp/random 3.6.0".
func (e *MissingError) Providers() []string {
	if e == nil {
		return nil
	}
	var list []string
	for _, t := range e.Types {
		if p := t.provider(); len(list) == 0 || list[len(list)-1] != p {
			list = append(list, p)
		}
	}
	return list
}

// Unwrap returns [ErrSchemas].
func (e *MissingError) Unwrap() error { return ErrSchemas }

// invalid returns an error that wraps [ErrInvalid].
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
}

// inEntry gives an error the name of an entry, and this package's type.
func inEntry(entry string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Entry == "" {
			e.Entry = entry
		}
		return e
	}
	return &Error{Entry: entry, Offset: -1, Err: err}
}

// inField puts the name of a field before that in an error.
func inField(field string, err error) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		e = &Error{Offset: -1, Field: field, Err: err}
	case e.Field == "" || strings.HasPrefix(e.Field, "["):
		e.Field = field + e.Field
	default:
		e.Field = field + "." + e.Field
	}
	return e
}

// inElement is inField for an element of a list.
func inElement(field string, i int, err error) error {
	return inField(field+"["+strconv.Itoa(i)+"]", err)
}

// atOffset gives an error a place in the entry.
func atOffset(offset int, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Offset < 0 {
			e.Offset = int64(offset)
		}
		return e
	}
	return &Error{Offset: int64(offset), Err: err}
}

// short returns the beginning of a text from the file.
func short(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}
