// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// backendFile is where the tools remember the backend that they were initialized with.
const backendFile = "terraform.tfstate"

// InitBackend does for the backend of the root module in dir what init does, if it is
// the local one with constant arguments, was not initialized before, and there is no
// state that init would move to it. It returns a note for people, or "" if there is
// nothing to say.
func InitBackend(dir string, backends []*hclconfig.Backend) (note string, err error) {
	if len(backends) == 0 {
		return "", nil
	}
	b := backends[0]
	name := filepath.Join(dir, ".terraform", backendFile)
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return "", err // the tools compare it with the configuration
	}
	if b.Type != "local" || len(backends) > 1 {
		return fmt.Sprintf("The backend %q is not initialized: that is what init is for.", b.Type), nil
	}
	config := map[string]cty.Value{"path": cty.NullVal(cty.String), "workspace_dir": cty.NullVal(cty.String)}
	texts := map[string]*string{"path": nil, "workspace_dir": nil}
	for i := range b.Block.Body.Arguments {
		a := &b.Block.Body.Arguments[i]
		v, err := a.Constant()
		if _, ok := config[a.Name]; !ok || err != nil || v.IsNull() || v.Type() != cty.String {
			return "The backend \"local\" is not initialized: its arguments are not constant.", nil
		}
		text := v.AsString()
		config[a.Name], texts[a.Name] = v, &text
	}
	if p := texts["path"]; p != nil && *p != backendFile {
		if _, err := os.Stat(filepath.Join(dir, backendFile)); err == nil {
			return "The backend \"local\" is not initialized: init would move the existing state.", nil
		}
	}
	// The tools know by this hash that the configuration is the one that they have.
	hash := cty.TupleVal([]cty.Value{cty.StringVal(b.Type), cty.ObjectVal(config)}).Hash()
	src, err := json.MarshalIndent(map[string]any{"version": 3, "backend": map[string]any{"type": b.Type, "config": texts, "hash": uint64(hash)}}, "", "    ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return "", err
	}
	return "", replacefile.Write(name, append(src, '\n'), 0o644)
}
