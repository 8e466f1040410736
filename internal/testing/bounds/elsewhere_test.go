// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

// The reasons why functions have no row.
const (
	aName  = "its text is a name, or a part of what it makes"
	aPath  = "its text is a path of this machine, and its limits are those of the content: see SECURITY.md"
	pieces = "it reads in pieces of a bounded size, and hashes or copies them"
	shared = "it does what a function with a row does"
	sealed = "its cost is that of a cipher, in proportion to the text, and of keys, which are bounded"
	writes = "it writes one value into a document"
)

// Elsewhere has the functions without a row, each with the reason.
var Elsewhere = map[string]string{
	"addrs.ImpliedProvider": aName, "addrs.NewAbsProviderConfig": aName, "addrs.NewProvider": aName, "addrs.NewResource": aName, "addrs.StringKey": aName,
	"checksum.HashDir": pieces, "checksum.HashZip": pieces, "checksum.Hasher.FS": pieces, "checksum.Hasher.Stream": pieces, "checksum.Hasher.ZipReaderAt": pieces, "checksum.ParsePackageFile": aName,
	"hclconfig.Modules": "it lists directories and reads no file", "hclnames.Callers": shared, "hclnames.Calls": shared, "hclnames.CalledOutputs": shared, "hclconfig.Overlay": aName, "hclconfig.ParseFilename": aName, "hclconfig.TestDirectory": aName,
	"hcledit.Build": aName, "hcledit.Function": aName, "hcledit.Layout": shared, "hcledit.NewBlock": aName, "hcledit.Save": aPath,
	"hclrename.ReplaceProvider": shared, "hcllint.Command": aName, "hcllint.Program.Run": aName, "hcllint.FollowsConvention": aName, "hcllinttest.Run": "it is for tests",
	"lockfile.Load": shared, "lockfile.MergeText": shared, "lockfile.New": aName,
	"planfile.Open":      "nothing is unpacked by it, and its methods have tests of their own for work and memory",
	"planjson.ReadState": shared, "planjson.SetExtra": writes,
	"statefile.AESGCM.Decrypt": sealed, "statefile.AESGCM.Encrypt": sealed,
	"statefile.List": shared, "statefile.Decrypt": sealed, "statefile.Encrypt": sealed, "statefile.EncryptionOf": sealed, "statefile.Encryption.Decrypt": sealed, "statefile.Encryption.Encrypt": sealed, "statefile.ExternalMethod.Decrypt": sealed, "statefile.ExternalMethod.Encrypt": sealed,
	"statefile.New": aName, "statefile.ReplaceFiles": aPath, "statefile.Save": aPath, "statefile.SetExtra": writes,
	"registry.Client.Unpack": pieces, "registry.PluginWarning": "it looks at the names and modes of a package's files", "registry.FindExecutable": aPath,
	"install.LockFile": aPath, "install.ReadManifest": aPath, "install.StaticRegistry.AddModule": aPath, "install.UpdateLockFile": aPath, "install.Verify": aPath,
	"uijson.Decoder.Decode": shared, "uijson.Follow": aPath, "uijson.Follower.Read": pieces, "uijson.NewMessage": aName, "uijson.SetExtra": writes,
	"uitrack.Attach": shared, "uitrack.GitHubAnnotation": "it writes one diagnostic",
}
