// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package addrs represents the identifiers of OpenTofu and Terraform as values:
// addresses of modules, resources, instances, outputs and providers, references in
// expressions, versions and version constraints, platforms, hashes of packages, and
// module sources.
//
//	a, err := addrs.ParseAbsResourceInstance(`module.net["eu"].aws_subnet.a[0]`)
//	if err != nil {
//		return err
//	}
//	fmt.Println(a.Module(), a.Resource().Type(), a.Key())
//
// All types are small and comparable, as in [net/netip]: == is equality, values can
// be map keys and cannot be changed, and the zero value is harmless. The types of
// identifiers have the same names, for example
//
//	ParseAbsResourceInstance, MustParseAbsResourceInstance
//	IsValid, String, Compare, MarshalText, UnmarshalText
//
// A type has no IsValid if all its values are valid. Open enumerations such as [Mode]
// are plain strings, and so is [Hash], because lock files can contain hashes of any
// scheme. [Checkable] and [Constraint] do not marshal: the text of a Checkable does
// not say what kind it is, and a Constraint is one of [Constraints]. The parts [Step],
// [Pos] and [Range] are printed but not parsed.
//
// A parser accepts what OpenTofu accepts. String returns the normal form, as
// OpenTofu prints it. Parsing x.String() gives x, for every valid x. Values marshal
// as text, so they can be fields of JSON structs and keys of JSON maps. A few inputs
// parse in OpenTofu but their printed form does not; those are refused here.
//
// This package does not read configuration, ask registries or resolve names.
//
// # Addresses
//
// The names are OpenTofu's. An "Abs" address starts at the root module and goes
// through module instances. A "Config" address is one in the configuration, where
// nothing has instance keys. An address without a prefix is relative to one module.
//
//   - [Module]: module.net.module.subnet
//   - [ModuleInstance]: module.net["eu"].module.subnet[0]
//   - [Resource]: data.aws_ami.base
//   - [ConfigResource]: module.net.data.aws_ami.base
//   - [AbsResource]: module.net["eu"].data.aws_ami.base
//   - [AbsResourceInstance]: module.net["eu"].data.aws_ami.base[0]
//   - [Target]: a module instance, resource or instance, as in -target
//   - [Checkable]: an object with conditions: resource, output, check or variable
//   - [Reference]: var.x, each.key, aws_instance.web[0].tags["a"], module.net.vpc_id
//
// Build an address from its parts, or take it apart, with methods:
//
//	addr := resource.In(module).Instance(addrs.IntKey(0))
//
// Never split an address at dots or brackets: instance keys may contain both, as
// well as quotes. Keys are quoted by the rules of the language, not of Go: "${"
// becomes "$${".
//
// # Addresses in documents
//
// Two kinds of keys occur only in documents written by the tools:
//
//   - [*] is [WildcardKey], a key that is not known yet.
//   - Terraform up to 1.2 printed keys as Go strings, such as ["\x01"]. A key that is
//     not a string of the language is read as a Go string and printed in the normal
//     form. A text that is valid as both is read as a string of the language.
//
// A key that is a template, such as ["${x}"], is an error, as in both tools. Terraform up to
// 1.2 wrote the key ${x} in this form, so [ParseRecordedResourceInstance] and
// [ParsePlanReference] accept it. For the same reason, ["$${x}"] may be the key ${x} or, in a
// document of Terraform up to 1.2, $${x}. If that matters, take the key from the member next
// to the address, as the methods Addr of package planjson do.
//
// Targets allow neither kind. References do not allow the wildcard.
//
// # Providers, modules and versions
//
//   - [Provider]: registry.opentofu.org/hashicorp/aws
//   - [AbsProviderConfig]: module.net.provider["registry.opentofu.org/hashicorp/aws"].west
//   - [ModuleSource]: ./net, [HOST/]NAMESPACE/NAME/SYSTEM, git::https://...
//   - [Version]: 1.2.3-beta.1+b5
//   - [Constraint]: ~> 1.2
//   - [Constraints]: >= 1.2.0, < 2.0.0
//   - [Platform]: linux_amd64
//   - [Hash]: h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=
//   - [Pos], [Range]: main.tf:3,12-18, a place in a source file
//
// OpenTofu and Terraform use several version libraries, which differ in details.
// This package does what OpenTofu does for providers; see [Constraints.Allows].
//
// # Performance
//
// A value holds its normal text and the offsets of its parts. Parsing a text in
// normal form allocates nothing; the value then refers to that text. Accessors return
// parts of it.
//
// # Errors
//
// All functions that can fail return an [*Error]; only [Verification.Err] returns
// [ErrMismatch] or [ErrNotVerifiable]. MustParse functions panic on errors and are
// meant for constants and tests. On error the value is zero; UnmarshalText also sets
// it to zero.
//
// # Security
//
// Input may come from anyone. No parser panics, and none needs more memory than a
// small multiple of the size of its input. An error quotes at most 120 bytes of the
// input.
//
// # Concurrency
//
// Everything is safe for concurrent use by several goroutines.
package addrs
