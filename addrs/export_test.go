// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

// What only the tests of this package have a use for.

// MustParseInstanceKey is like [ParseInstanceKey] but panics on errors.
// It is meant for constants.
func MustParseInstanceKey(s string) InstanceKey { return must(ParseInstanceKey(s)) }

// MustParseModule is like [ParseModule] but panics on errors.
func MustParseModule(s string) Module { return must(ParseModule(s)) }

// MustParseModuleInstance is like [ParseModuleInstance] but panics on errors.
func MustParseModuleInstance(s string) ModuleInstance { return must(ParseModuleInstance(s)) }

// MustParseAbsProviderConfig is like [ParseAbsProviderConfig] but panics on
// errors.
func MustParseAbsProviderConfig(s string) AbsProviderConfig { return must(ParseAbsProviderConfig(s)) }

// MustParseResource is like [ParseResource] but panics on errors.
func MustParseResource(s string) Resource { return must(ParseResource(s)) }

// MustParseConfigResource is like [ParseConfigResource] but panics on errors.
func MustParseConfigResource(s string) ConfigResource { return must(ParseConfigResource(s)) }

// MustParseAbsResource is like [ParseAbsResource] but panics on errors.
func MustParseAbsResource(s string) AbsResource { return must(ParseAbsResource(s)) }
