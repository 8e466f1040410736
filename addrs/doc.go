// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package addrs has the identifiers of OpenTofu and Terraform as values:
// addresses of modules, resources, instances, outputs and providers,
// references in expressions, versions and version constraints, platforms, and
// module sources.
//
// All of them are small and comparable, in the manner of [net/netip]: == is
// equality, they can be map keys, they cannot be changed or half-built, and
// their zero value is harmless. Each has the same set of names. For
// [AbsResourceInstance], for example:
//
//	ParseAbsResourceInstance, MustParseAbsResourceInstance
//	IsValid, String, Compare, AppendText, MarshalText, UnmarshalText
//
// A parser accepts what OpenTofu accepts, and String returns the normal form,
// which is what OpenTofu prints. Parse(x.String()) is x, for every x.
// Because the values marshal as text, they can be fields of JSON structs and
// keys of JSON maps.
//
// # Addresses
//
// The names are OpenTofu's. "Abs" begins in the root module and goes through
// module instances; "Config" is in the configuration, where nothing has
// instance keys; the bare name is inside one module.
//
//	Module                module.net.module.subnet
//	ModuleInstance        module.net["eu"].module.subnet[0]
//	Resource              data.aws_ami.base
//	ConfigResource        module.net.data.aws_ami.base
//	AbsResource           module.net["eu"].data.aws_ami.base
//	ResourceInstance      data.aws_ami.base[0]
//	AbsResourceInstance   module.net["eu"].data.aws_ami.base[0]
//
// Never split an address at dots or brackets: instance keys may hold both, and
// quotes too.
//
// # Performance
//
// A value holds its normal text, and the places of its parts in it. Parsing a
// text that is in normal form allocates nothing; the value then refers to that
// text. Accessors return parts of it, String returns it.
//
// # Errors
//
// All parsers return errors of the type [*Error]. None of them panics or needs
// more than a small multiple of the memory of its input, whatever that is.
//
// # Concurrency
//
// Everything may be used by several goroutines at the same time.
//
// This package does not read configuration, ask registries or resolve names.
package addrs
