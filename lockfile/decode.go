// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// decode fills a Block from its rawBlock. It parses the texts to their types,
// and appends the diagnostics of tofu about them to diags. seen has the first
// block of each provider so far.
func decode(b *Block, seen map[addrs.Provider]*Block, diags []Diagnostic) []Diagnostic {
	report := func(s byteRange, summary, detail string) {
		diags = append(diags, Diagnostic{SeverityError, summary, detail, b.rangeOf(s)})
	}
	addr, d := checkLabel(b.raw.labelText)
	if d != nil {
		report(b.raw.label, d.Summary, d.Detail)
		return diags
	}
	b.addr = addr

	if a := &b.raw.version; a.exists() && !a.bad {
		v, err := addrs.ParseVersion(a.value)
		canonical := "0.0.0"
		if err != nil {
			report(a.expr, summaryVersion, fmt.Sprintf("%q is not a version number: %v.", a.value, cause(err)))
		} else {
			canonical = v.String()
		}
		switch {
		case err == nil && beyondUint64(a.value):
			report(a.expr, summaryVersion, fmt.Sprintf("%q has a number that is too large for OpenTofu.", a.value))
		case canonical != a.value:
			report(a.expr, summaryVersion, fmt.Sprintf("The version of %s must be written in normal form, which is %q.", addr, canonical))
		default:
			b.version = v
		}
	}

	if a := &b.raw.constraints; a.exists() && !a.bad {
		c, err := addrs.ParseConstraints(a.value)
		canonical := ""
		if err != nil {
			report(a.expr, summaryConstraints, fmt.Sprintf("%q is not a list of version constraints: %v.", a.value, cause(err)))
		} else {
			canonical = c.String()
		}
		switch {
		case err == nil && beyondUint64(a.value):
			report(a.expr, summaryConstraints, fmt.Sprintf("%q has a number that is too large for OpenTofu.", a.value))
		case canonical != a.value:
			report(a.expr, summaryConstraints, fmt.Sprintf("The constraints of %s must be written in normal form, which is %q.", addr, canonical))
		default:
			b.constraints = c
		}
	}

	var list addrs.Range // found once, for there may be many
	for i := range b.raw.elements {
		if e := &b.raw.elements[i]; !e.bad && !Hash(e.value).IsValid() {
			e.bad = true
			if !list.IsValid() {
				list = b.rangeOf(b.raw.hashes.expr)
			}
			// tofu points at the whole list here, not at the element.
			diags = append(diags, Diagnostic{SeverityError, "Invalid provider hash string",
				fmt.Sprintf("%q is not a hash: it must begin with a scheme and a colon.", e.value), list})
		}
	}

	if first, ok := seen[addr]; ok {
		b.duplicate = true
		report(b.raw.typ, "Duplicate provider lock",
			fmt.Sprintf("There is already a lock for %s, at %s.", addr, first.headerRange()))
	} else {
		seen[addr] = b
	}
	return diags
}

const (
	summaryVersion     = "Invalid provider version number"
	summaryConstraints = "Invalid provider version constraints"
	summaryAddress     = "Invalid provider source address"
)

// checkLabel returns the provider that a label names. If a lock cannot have
// that label, it returns a diagnostic without place.
func checkLabel(label string) (addrs.Provider, *Diagnostic) {
	p, err := addrs.ParseProvider(label)
	summary, detail := summaryAddress, ""
	switch {
	case err != nil:
		detail = fmt.Sprintf("The label must be a full source address, with hostname, namespace and type: %v.", cause(err))
	case p.IsBuiltIn():
		detail = fmt.Sprintf("The provider %s is built in, and cannot be locked.", p)
	case p.IsLegacy():
		detail = fmt.Sprintf("The address %s is that of a provider whose namespace is not known, and cannot be locked.", p)
	case p.String() != label:
		summary = "Non-normalized provider source address"
		detail = fmt.Sprintf("The source address must be written in normal form, which is %q.", p)
	default:
		return p, nil
	}
	return addrs.Provider{}, &Diagnostic{Severity: SeverityError, Summary: summary, Detail: detail}
}

// cause returns the cause of an error of package addrs without the input,
// because the diagnostic shows it anyway.
func cause(err error) error {
	if e, ok := err.(*addrs.Error); ok {
		return e.Err
	}
	return err
}

// beyondUint64 reports whether a version or a list of constraints has a
// number that does not fit 64 bits. Package addrs reads such numbers; tofu
// crashes on them. Prerelease and metadata are not numbers.
func beyondUint64(s string) bool {
	const limit = "18446744073709551615"
	if len(s) < len(limit) {
		return false
	}
	for part := range strings.SplitSeq(s, ",") {
		if i := strings.IndexAny(part, "-+"); i >= 0 {
			part = part[:i]
		}
		for _, number := range strings.FieldsFunc(part, func(r rune) bool { return r < '0' || r > '9' }) {
			number = strings.TrimLeft(number, "0")
			if len(number) > len(limit) || len(number) == len(limit) && number > limit {
				return true
			}
		}
	}
	return false
}
