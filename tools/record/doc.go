// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Record remakes the recordings of real tools that the tests of this module
// read, or checks that a real tool would still make them.
//
//	go run -C tools/record . -bin tofu -providers DIR -check
//
// It is a module of its own, and runs in its folder: DIR is a full path.
//
// # Cases
//
// A folder of cases/ that holds scripts is a case: folders of configuration,
// and one script a tool and version, such as tofu-1.12.6.json. A [Script] lists
// the steps in order: which configuration is laid into the working folder,
// which commands run, with which exit status, and which files of the module
// keep their output. A script whose name is the version of the given binary is
// remade into those files. For a binary of another version, the script of the
// newest version of the same tool is run, and -out says where its output goes.
//
// Where a file keeps what show -json prints of a state, a file of the same name with
// the extension .tfstate keeps the state as the tool has saved it, if it is a local file:
// in testdata, and in the archives of releases. Older recordings lack them; then
// -check counts them.
//
// Files in testdata that no tool printed are listed in byhand.txt
// with the reason, and copies of configurations in copies.txt. The tests of this
// package check that every file in every testdata folder is accounted for.
//
// # Providers
//
// The folder that -providers names is a filesystem mirror, for the hosts
// registry.opentofu.org and registry.terraform.io, with the versions in
// [Providers]. The provider example/lab, made for the recordings, is built from
// provider-lab, a module of its own. The packages of the cases in
// cases/lockfiles are made by a loopback registry. Nothing else is read from
// the network, and a case that needs more is skipped with a message.
//
// # Releases
//
//	go run -C tools/record . -bin tofu -providers DIR -release
//
// runs the cases that are common to all releases, internal/testing/recordings/cases,
// puts what the binary printed into the archive of its release, and makes the
// reports: a new release is this command and a diff. The lab provider of these
// cases is version 1.5.0, which has what newer releases of Terraform ask for.
//
//	go run -C tools/record . -report
//
// reads the archives of internal/testing/recordings/testdata/releases, one a release, and writes
// what this library makes of them: a [Report] a release, and the table in
// COMPATIBILITY.md. A test fails if they are not up to date, or if one of them
// names something that is wrong.
//
// # Comparing
//
// With -check nothing is written. Remade files are compared with the committed
// ones, byte by byte except for values that differ from run to run: [Places] lists the
// values, and [Grouped] the lines whose order depends on what runs at the same
// time. The values that providers make up, such as the name of a random_pet, are
// learned where they are made up, see [MadeUp]; everywhere else the new value
// must stand where the old one stood.
//
// Encrypted states and plans are compared by what is in them, which the file opens that
// a step names with "encryption", and by the envelope with its metadata, except for
// salts and data. Of the file tfplan in a plan only the length is compared.
package main
