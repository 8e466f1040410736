// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"encoding/json"
	"strings"

	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// token represents secrets in files.
const token = "(sensitive value)"

// file redacts a lock file or a CLI configuration and says which it is, or returns nil.
func (j *job) file(src []byte) ([]byte, string) {
	secrets := append([]string(nil), j.redactor.Secrets...)
	switch {
	case isLock(src):
		return j.text(src, secrets), "a lock file"
	case isCLIConfig(src):
		cfg, _ := cliconfig.Parse("", src)
		for _, t := range cfg.Credentials {
			secrets = append(secrets, t)
		}
		secrets = append(secrets, cfg.HelperArgs...)
		for _, c := range cfg.OCICredentials {
			secrets = append(secrets, c.Password, c.AccessToken, c.RefreshToken)
		}
		return j.text(src, secrets), "a CLI configuration"
	}
	return nil, ""
}

// isLock reports whether a text is a lock file.
func isLock(src []byte) bool {
	f, err := lockfile.Parse("", src)
	return err == nil && f != nil && len(f.Blocks()) > 0
}

// isCLIConfig reports whether a text is a CLI configuration: one that has a setting of one.
func isCLIConfig(src []byte) bool {
	cfg, _ := cliconfig.Parse("", src)
	return cfg != nil && len(cfg.Extra) == 0 && (len(cfg.Credentials) > 0 || len(cfg.Services) > 0 || cfg.HelperName != "" || cfg.Installation != nil ||
		len(cfg.DevOverrides) > 0 || cfg.PluginCacheDir != "" || len(cfg.OCICredentials) > 0 || cfg.OCIDefaults != nil)
}

var (
	quotedText  = lazy.Regexp(`"(?:[^"\\\n]|\\.)*"`)
	userInfo    = lazy.Regexp(`([A-Za-z][A-Za-z0-9+.-]*://)[^/@\s"'<>]+@`)
	secretQuery = lazy.Regexp(`(?i)([?&;](?:[a-z0-9_.-]*(?:token|secret|password|passwd|signature|credential|apikey|api_key|api-key|key)|sig|pw|pwd|auth|sas)=)[^&;#\s"'<>]+`)
	secretName  = lazy.Regexp(`(?i)("?[a-z0-9_-]*(?:token|password|passwd|secret)"?\s*[=:]\s*)"(?:[^"\\\n]|\\.)*"`)
)

// text redacts a text with strings in quotes: credentials in URLs, values of names that say
// what they are, and known secrets.
func (j *job) text(src []byte, secrets []string) []byte {
	set := knowntext.New(secrets)
	out := string(src)
	out = secretName().ReplaceAllString(out, `${1}"`+token+`"`)
	out = quotedText().ReplaceAllStringFunc(out, func(quoted string) string {
		plain := knowntext.Unescape(quoted[1 : len(quoted)-1])
		if now, changed := set.Replace(plain, token); changed {
			if text, err := json.Marshal(now); err == nil {
				return string(text)
			}
			return `"` + token + `"`
		}
		return quoted
	})
	out = userInfo().ReplaceAllString(out, "${1}"+token+"@")
	out = secretQuery().ReplaceAllString(out, "${1}"+token)
	lines := strings.SplitAfter(out, "\n")
	for i, line := range lines { // comments, and what else is not in quotes
		text := strings.TrimRight(line, "\r\n")
		if now, changed := set.Replace(text, token); changed {
			lines[i] = now + line[len(text):]
		}
	}
	return []byte(strings.Join(lines, ""))
}
