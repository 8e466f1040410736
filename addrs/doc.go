// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package addrs has the identifiers of OpenTofu and Terraform as values:
// addresses of modules, resources, instances, outputs and providers,
// references in expressions, versions and version constraints, platforms,
// hashes of packages, and module sources.
//
// All of them are small and comparable, in the manner of [net/netip]: == is
// equality, they can be map keys, they cannot be changed or half-built, and
// their zero value is harmless. Each has the same set of names. For
// [AbsResourceInstance], for example:
//
//	ParseAbsResourceInstance, MustParseAbsResourceInstance
//	IsValid, String, Compare, MarshalText, UnmarshalText
//
// A type of which every value is valid has no IsValid. Open enumerations such as
// [Mode] are plain strings. So is [Hash], since lock files have hashes of any
// kind. A [Checkable], whose text does not tell its kind, and a [Constraint], one
// of [Constraints], do not marshal.
//
// A parser accepts what OpenTofu accepts, and String returns the normal form,
// which is what OpenTofu prints. Parsing x.String() gives x, for every valid x.
// Because the values marshal as text, they can be fields of JSON structs and
// keys of JSON maps. In the few places where OpenTofu accepts what it would
// refuse in the form in which it prints it, the parsers here refuse it at once.
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
//	AbsResourceInstance   module.net["eu"].data.aws_ami.base[0]
//
//	AbsOutput             module.net["eu"].output.vpc_id
//	Target                any module instance, resource or instance, as in -target
//	Checkable             what has conditions: resources, outputs, checks, variables
//	Reference             var.x, each.key, aws_instance.web[0].tags["a"], module.net.vpc_id
//
// Never split an address at dots or brackets: instance keys may hold both, and
// quotes too. In addresses they are quoted by the rules of the language, which
// differ from Go's: "${" becomes "$${".
//
// # Addresses in documents
//
// Two kinds of keys are in documents of the tools and nowhere else. [*] is
// [WildcardKey]. And Terraform up to 1.2 printed keys as Go strings, such as
// ["${x}"] and ["\x01"]: what is not a string of the language is read as a Go
// string, and printed in the normal form. A text that is both is read as the
// language reads it: if it matters whether ["$${x}"] is the key ${x}, or $${x}
// as Terraform up to 1.2 wrote it, take the key from the member beside it, as
// the methods Addr of package planjson do. Targets, which no document has, have
// no such keys, and references no wildcard.
//
// # Providers, modules and versions
//
//	Provider              registry.opentofu.org/hashicorp/aws
//	AbsProviderConfig     module.net.provider["registry.opentofu.org/hashicorp/aws"].west
//	ModuleSource          ./net, [HOST/]NAMESPACE/NAME/SYSTEM, git::https://...
//	Version               1.2.3-beta.1+b5
//	Constraint            ~> 1.2
//	Constraints           >= 1.2.0, < 2.0.0
//	Platform              linux_amd64
//	Hash                  h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=
//
// Where the libraries that OpenTofu and Terraform use for versions differ, this
// package does what OpenTofu does for providers; see [Constraints.Allows].
//
// # Performance
//
// A value holds its normal text, and the places of its parts in it. Parsing a
// text that is in normal form allocates nothing; the value then refers to that
// text. Accessors return parts of it, String returns it.
//
// # Errors
//
// All parsers, and all other functions that can fail, return errors of the type
// [*Error]. MustParse functions panic on errors, and are meant for constants and
// tests. A value that comes with an error is the zero value, and UnmarshalText
// leaves that behind.
//
// # Security
//
// Input may come from anyone. No parser panics, or needs more than a small
// multiple of the memory of its input. An error shows no more than 120 bytes of
// that, quoted.
//
// # Concurrency
//
// Everything may be used by several goroutines at the same time.
//
// This package does not read configuration, ask registries or resolve names.
package addrs
