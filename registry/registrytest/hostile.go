// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
	"sync"
)

// HostileZips returns packages that must not be unpacked. The keys of the map
// say why. Use them with [Version.Zip]: registry and signature are right, only
// the contents are broken or an attack.
func HostileZips() map[string][]byte {
	exe := File{Name: "terraform-provider-null_v1.0.0", Content: "plugin", Mode: 0o755}
	out := map[string][]byte{
		"not a zip":         []byte("this is not a zip"),
		"empty":             MakeZip(),
		"truncated":         MakeZip(exe)[:60],
		"slip":              MakeZip(exe, File{Name: "../evil", Content: "x"}),
		"slip inside":       MakeZip(exe, File{Name: "a/../../evil", Content: "x"}),
		"dot dot inside":    MakeZip(exe, File{Name: "a/../b", Content: "x"}),
		"absolute":          MakeZip(exe, File{Name: "/etc/evil", Content: "x"}),
		"backslash":         MakeZip(exe, File{Name: "..\\evil", Content: "x"}),
		"drive":             MakeZip(exe, File{Name: "C:/evil", Content: "x"}),
		"stream":            MakeZip(exe, File{Name: "file:stream", Content: "x"}),
		"newline":           MakeZip(exe, File{Name: "a\nb", Content: "x"}),
		"nul":               MakeZip(exe, File{Name: "a\x00b", Content: "x"}),
		"empty part":        MakeZip(exe, File{Name: "a//b", Content: "x"}),
		"long name":         MakeZip(exe, File{Name: strings.Repeat("a", 300), Content: "x"}),
		"deep":              MakeZip(exe, File{Name: strings.Repeat("a/", 200) + "b", Content: "x"}),
		"symlink":           MakeZip(exe, File{Name: "link", Content: "/etc/passwd", Mode: fs.ModeSymlink | 0o777}),
		"device":            MakeZip(exe, File{Name: "null", Mode: fs.ModeDevice | fs.ModeCharDevice | 0o666}),
		"fifo":              MakeZip(exe, File{Name: "pipe", Mode: fs.ModeNamedPipe | 0o666}),
		"duplicate":         MakeZip(exe, File{Name: "a", Content: "1"}, File{Name: "a", Content: "2"}),
		"case collision":    MakeZip(exe, File{Name: "readme", Content: "1"}, File{Name: "README", Content: "2"}),
		"file as directory": MakeZip(exe, File{Name: "a", Content: "1"}, File{Name: "a/b", Content: "2"}),
		"directory as file": MakeZip(exe, File{Name: "a/b", Content: "1"}, File{Name: "a", Content: "2"}),
		"no executable":     MakeZip(File{Name: "README", Content: "x"}),
		"bomb":              bomb(),
		"lying bomb":        lyingBomb(),
		"many entries":      manyEntries(25_000),
		"bad checksum":      badChecksum(),
	}
	return out
}

// bomb is 80 MiB of zeros. It is packed only once, because that takes a while.
var bomb = sync.OnceValue(func() []byte {
	return MakeZip(File{Name: "terraform-provider-null_v1.0.0", Mode: 0o755, Content: string(make([]byte, 80<<20))})
})

// lyingBomb is a bomb whose list of entries says that it is small.
func lyingBomb() []byte {
	b := bytes.Clone(bomb())
	// Bytes 24 to 27 of an entry of the central directory are the size.
	i := bytes.LastIndex(b, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(b[i+24:], 10)
	return b
}

func manyEntries(n int) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		must(w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("f%d", i), Method: zip.Store}))
	}
	must(0, w.Close())
	return b.Bytes()
}

// badChecksum has an entry whose CRC-32 is not that of its content.
func badChecksum() []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	content := []byte("plugin")
	e := must(w.CreateRaw(&zip.FileHeader{
		Name: "terraform-provider-null_v1.0.0", Method: zip.Store, CRC32: crc32.ChecksumIEEE(content) ^ 1,
		CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content)),
	}))
	must(e.Write(content))
	must(0, w.Close())
	return b.Bytes()
}
