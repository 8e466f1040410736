// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package ocimirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// Whatever is broken at one default place, the credentials of the next one count, and what was left out is told.
func TestLoadCredentials_brokenPlaces(t *testing.T) {
	r := sealed(t)
	good := fmt.Sprintf(`{"auths":{%q:{"auth":"bWU6c2VjcmV0"}}}`, r.host())
	for what, put := range map[string]func(name string) error{
		"empty":           func(name string) error { return os.WriteFile(name, nil, 0o600) },
		"cut":             func(name string) error { return os.WriteFile(name, []byte(good[:len(good)-5]), 0o600) },
		"another kind":    func(name string) error { return os.WriteFile(name, []byte("[1]"), 0o600) },
		"a mark":          func(name string) error { return os.WriteFile(name, []byte("\ufeff"+good), 0o600) },
		"zeros":           func(name string) error { return os.WriteFile(name, make([]byte, 100), 0o600) },
		"too large":       func(name string) error { return os.WriteFile(name, []byte("{"+strings.Repeat(" ", 5<<20)), 0o600) },
		"a folder":        func(name string) error { return os.Mkdir(name, 0o755) },
		"a pipe":          func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"a circle":        func(name string) error { return os.Symlink(name, name) },
		"a link nowhere":  func(name string) error { return os.Symlink("nowhere", name) },
		"a file as place": nil,
	} {
		for _, place := range []string{"config/containers/auth.json", ".docker/config.json"} {
			dir := t.TempDir()
			name, next := filepath.Join(dir, place), filepath.Join(dir, ".dockercfg")
			folder := filepath.Dir(name)
			silent := what == "a link nowhere" // it is no file
			if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
				t.Fatal(err)
			}
			err := error(nil)
			switch {
			case put == nil:
				err = os.WriteFile(folder, nil, 0o600)
			default:
				if err = os.Mkdir(folder, 0o755); err == nil {
					err = put(name)
				}
			}
			if err != nil {
				t.Skip("needs a file system with pipes and links:", err)
			}
			writeFile(t, next, good, 0o600)
			c, err := ocimirror.LoadCredentials(nil, []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config")})
			if err != nil {
				t.Errorf("%s, %s: %v", place, what, err)
				continue
			}
			m := newMirror(r)
			m.Credentials = c
			if _, err := m.Versions(t.Context(), null); strings.Contains(fmt.Sprint(err), "unauthorized") {
				t.Errorf("%s, %s: %v", place, what, err)
			}
			if faults := c.Faults(); (len(faults) == 1) == silent || len(faults) == 1 && !strings.Contains(faults[0].Error(), name) {
				t.Errorf("%s, %s: %v", place, what, faults)
			}
		}
	}
}
