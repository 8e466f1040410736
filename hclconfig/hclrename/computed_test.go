// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRename_computedSource renames in modules that others call with a source that the callers of
// these others choose. Each change is in all of the uses or refused.
func TestRename_computedSource(t *testing.T) {
	const callI, use = "module \"i\" {\n  source = var.impl\n}\n", "output \"x\" {\n  value = module.i.v\n}\n"
	const byDefault, without = "variable \"impl\" {\n  default = \"../a\"\n}\n" + callI, "variable \"impl\" {}\n" + callI
	const live = "module \"w\" {\n  source = \"../w\"\n  impl = \"../b\"\n}\n"
	const several, unknown = "leads to different modules, depending on its own callers: a, b", "the source of this call is not known"
	for name, c := range map[string]struct {
		files   map[string]string
		in      string
		refused string // part of the error, or "" where w/m.tf gets the new name
	}{
		"the default, and another":      {map[string]string{"w/m.tf": byDefault + use, "live/m.tf": live}, "a", several},
		"what a caller gives":           {map[string]string{"w/m.tf": byDefault + use, "live/m.tf": live}, "b", several},
		"used as a whole":               {map[string]string{"w/m.tf": byDefault + "output \"x\" {\n  value = values(module.i)\n}\n", "live/m.tf": live}, "b", several},
		"the default alone":             {map[string]string{"w/m.tf": byDefault + use}, "a", ""},
		"what all callers give":         {map[string]string{"w/m.tf": without + use, "live/m.tf": live}, "b", ""},
		"what the callers of others do": {map[string]string{"w/m.tf": without + use, "live/m.tf": "variable \"x\" {}\nmodule \"w\" {\n  source = \"../w\"\n  impl = var.x\n}\n", "top/m.tf": "module \"l\" {\n  source = \"../live\"\n  x = \"../b\"\n}\n"}, "b", ""},
		"another root does not know":    {map[string]string{"w/m.tf": without + use, "live/m.tf": live, "other/m.tf": "variable \"x\" {}\nmodule \"w\" {\n  source = \"../w\"\n  impl = var.x\n}\n"}, "b", unknown},
		"a test":                        {map[string]string{"w/m.tf": byDefault + use, "live/m.tf": "", "live/t.tftest.hcl": "run \"r\" {\n  module {\n    source = \"../w\"\n  }\n  variables {\n    impl = \"../b\"\n  }\n}\n"}, "b", several},
		"no use of the name":            {map[string]string{"w/m.tf": byDefault, "live/m.tf": live}, "b", "none"},
		"JSON":                          {map[string]string{"w/m.tf.json": `{"variable":{"impl":{"default":"../a"}},"module":{"i":{"source":"${var.impl}"}},"output":{"x":{"value":"${module.i.v}"}}}`, "live/m.tf": live}, "b", several},
		"a caller with a syntax error":  {map[string]string{"w/m.tf": "", "live/m.tf": "locals {\nmodule \"b\" {\n  source = \"../b\"\n}\noutput \"x\" {\n  value = module.b.v\n}\n"}, "b", "syntax error"},
	} {
		fsys := fstest.MapFS{"a/m.tf": {Data: []byte("output \"v\" {\n  value = 1\n}\n")}, "b/m.tf": {Data: []byte("output \"v\" {\n  value = 2\n}\n")}}
		for file, text := range c.files {
			fsys[file] = &fstest.MapFile{Data: []byte(text)}
		}
		texts, err := Rename(fsys, c.in, "output.v", "output.renamed", Options{})
		switch {
		case c.refused == "none":
			if err != nil || len(texts) != 1 {
				t.Errorf("%s: %d texts, %v", name, len(texts), err)
			}
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: got %v", name, err)
			}
		case err != nil || len(texts) != 2 || !strings.Contains(string(texts["w/m.tf"]), "module.i.renamed"):
			t.Errorf("%s: %d texts, %v", name, len(texts), err)
		}
	}
}

// TestRename_computedInput is the same for an input.
func TestRename_computedInput(t *testing.T) {
	fsys := fstest.MapFS{
		"a/m.tf":    {Data: []byte("variable \"zone\" {}\n")},
		"b/m.tf":    {Data: []byte("variable \"zone\" {}\n")},
		"w/m.tf":    {Data: []byte("variable \"impl\" {}\nmodule \"i\" {\n  source = var.impl\n  zone   = 1\n}\n")},
		"live/m.tf": {Data: []byte("module \"w\" {\n  source = \"../w\"\n  impl   = \"../b\"\n}\n")},
	}
	texts, err := Rename(fsys, "b", "var.zone", "var.region", Options{})
	if err != nil || !strings.Contains(string(texts["w/m.tf"]), "region = 1") {
		t.Errorf("%s, %v", texts, err)
	}
	fsys["live/more.tf"] = &fstest.MapFile{Data: []byte("module \"v\" {\n  source = \"../w\"\n  impl   = \"../a\"\n}\n")}
	if _, err := Rename(fsys, "b", "var.zone", "var.region", Options{}); err == nil {
		t.Error("an input of two modules was renamed")
	}
	if _, err := Rename(fsys, "b", "var.zone", "var.region", Options{Root: "b"}); err != nil {
		t.Errorf("callers outside of Root count: %v", err)
	}
	// A root is searched wherever it is, and nothing else.
	delete(fsys, "live/more.tf")
	deep := fstest.MapFS{}
	for name, f := range fsys {
		deep[".config/repo/"+name] = f
	}
	if texts, err = Rename(noDir{deep, "."}, ".config/repo/b", "var.zone", "var.region", Options{Root: ".config/repo"}); err != nil || !strings.Contains(string(texts[".config/repo/w/m.tf"]), "region = 1") {
		t.Errorf("%s, %v", texts, err)
	}
}

// A noDir is a file system in which a directory must not be listed.
type noDir struct {
	fstest.MapFS
	dir string
}

func (f noDir) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == f.dir {
		return nil, errors.New("listed")
	}
	return f.MapFS.ReadDir(name)
}

// TestRename_link renames in a caller whose source leads through a link.
func TestRename_link(t *testing.T) {
	dir := write(t, map[string]string{
		"modules/net/main.tf": "output \"id\" {\n  value = 1\n}\n",
		"a/main.tf":           "module \"net\" {\n  source = \"./net\"\n}\noutput \"x\" {\n  value = module.net.id\n}\n",
	})
	if err := os.Symlink(filepath.FromSlash("../modules/net"), filepath.Join(dir, "a", "net")); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	texts, err := Rename(os.DirFS(dir), "modules/net", "output.id", "output.name", Options{})
	if err != nil || !strings.Contains(string(texts["a/main.tf"]), "module.net.name") {
		t.Errorf("%d texts, %v", len(texts), err)
	}
}
