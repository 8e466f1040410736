// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// An Inputs has what reads saved plans: the files of the options -schemas and -passphrase-file. The
// zero Inputs reads those that need neither.
type Inputs struct {
	Schemas    []string // files of "providers schema -json"
	Passphrase string   // a file

	Progress io.Writer // if not nil, the progress of large documents is shown

	WantsTree bool           // Tree is read as well
	Tree      *hclnames.Tree // the configuration in the saved plan that was read last

	joined *planjson.Schemas
}

// Register adds the options to a command line.
func (in *Inputs) Register(flags *commandline.Set) {
	flags.Strings(&in.Schemas, "schemas", "a `FILE` with the schemas of the providers, as \"tofuwire schemas DIR\" prints them, for a saved plan")
	flags.StringVar(&in.Passphrase, "passphrase-file", "", "a `FILE` with the passphrase of an encrypted saved plan")
}

// Check returns an error if one of the files is not there: a document that needs none of them does
// not read them, but a mistyped name is never silent.
func (in *Inputs) Check() error {
	for _, name := range append([]string{in.Passphrase}, in.Schemas...) {
		if _, err := os.Stat(name); err != nil && name != "" {
			return err
		}
	}
	return nil
}

// IsSaved reports whether a text is a saved plan, or one that is encrypted.
func IsSaved(src []byte) bool {
	kind := planjson.KindOf(src)
	return kind == planjson.DocumentPlanFile || kind == planjson.DocumentEncrypted
}

// A missingSchemas is the error for a saved plan without the schemas that it needs.
type missingSchemas struct{ planfile.MissingError }

// Error lists the providers, and says where schemas come from.
func (e *missingSchemas) Error() string { return e.MissingError.Error() + "; " + writesSchemas }

// writesSchemas says what makes schemas.
const writesSchemas = "tofuwire schemas DIR writes them"

// IsMissing reports whether an error is about schemas that are missing.
func IsMissing(err error) bool {
	var e *missingSchemas
	return errors.As(err, &e)
}

// Document returns the text that "show -json" prints for the saved plan src. If partial is set, schemas
// may be missing; their types are returned.
func (in *Inputs) Document(src []byte, partial bool) (text []byte, missing []planfile.Type, err error) {
	if err := in.Check(); err != nil {
		return nil, nil, err
	}
	if planjson.KindOf(src) == planjson.DocumentEncrypted {
		if src, err = in.clear(src); err != nil {
			return nil, nil, err
		}
	}
	schemas, err := in.Joined()
	if err != nil {
		return nil, nil, err
	}
	f, err := planfile.Open(src, planfile.Options{})
	if err != nil {
		return nil, nil, err
	}
	if in.WantsTree {
		if in.Tree, err = f.Tree(); err != nil {
			return nil, nil, err
		}
	}
	text, missing, err = f.Partial(schemas)
	if err == nil && len(missing) > 0 && !partial {
		return nil, missing, &missingSchemas{planfile.MissingError{Types: missing}}
	}
	return text, missing, err
}

// clear decrypts a plan.
func (in *Inputs) clear(src []byte) ([]byte, error) {
	if by := encryptedBy(src); by != "" {
		return nil, fmt.Errorf("the plan is encrypted by %s, and no passphrase opens it; give what tofu show -json prints", by)
	}
	if in.Passphrase == "" {
		return nil, errors.New("the plan is encrypted; open it with -passphrase-file FILE")
	}
	passphrase, err := os.ReadFile(in.Passphrase)
	if err != nil {
		return nil, err
	}
	if line, ok := bytes.CutSuffix(passphrase, []byte("\n")); ok {
		passphrase = bytes.TrimSuffix(line, []byte("\r"))
	}
	return statefile.Decrypt(context.Background(), src, string(passphrase))
}

// encryptedBy returns what encrypted a plan if none of its key providers has a salt, as pbkdf2 has,
// and otherwise "".
func encryptedBy(src []byte) string {
	e, err := statefile.DecodeEnvelope(src)
	if err != nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(e.Meta))
	for _, name := range names {
		if v, err := e.Metadata(name); err != nil || bytes.Contains(v, []byte(`"salt"`)) {
			return ""
		}
	}
	return cmp.Or(strings.Join(names, ", "), "another program")
}

// Joined returns the documents of -schemas as one, nil if there are none.
func (in *Inputs) Joined() (*planjson.Schemas, error) {
	if in.joined != nil || len(in.Schemas) == 0 {
		return in.joined, nil
	}
	var documents []*planjson.Schemas
	for _, name := range in.Schemas {
		d, err := ReadSchemas(name)
		if err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	var err error
	in.joined, err = planfile.JoinSchemas(documents...)
	return in.joined, err
}

// read reads a saved plan, whose values may be hidden.
func (in *Inputs) read(program, name string, src []byte, stderr io.Writer) (*Plan, error) {
	text, missing, err := in.Document(src, true)
	if e := (*planfile.Error)(nil); errors.As(err, &e) && e.Entry == "" && (errors.Is(err, planfile.ErrKind) || errors.Is(err, planfile.ErrInvalid)) {
		return nil, &Refusal{name, err, []string{"no-plan"}}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, WithoutNames(err))
	}
	p := &Plan{Plan: plan, Name: name, hidden: make(map[planfile.Type]bool)}
	for _, t := range missing {
		p.hidden[planfile.Type{Provider: t.Provider, Mode: t.Mode, Name: t.Name}] = true
	}
	if len(missing) > 0 {
		fmt.Fprintf(stderr, "%s: %s: without schemas: values are hidden; %s\n", program, name, writesSchemas)
	}
	return p, nil
}

// Convert returns the document of a saved plan for a program that shows it. It tells on stderr if values are
// hidden.
func (in *Inputs) Convert(program, name string, src []byte, stderr io.Writer) ([]byte, error) {
	p, err := in.read(program, name, src, stderr)
	if err != nil {
		return nil, err
	}
	return planjson.Encode(p.Plan)
}

// Converted returns the document of src if it is a saved plan, and src itself otherwise. All schemas must
// be there.
func (in *Inputs) Converted(src io.Reader) (io.Reader, error) {
	b := bufio.NewReader(src)
	if start, _ := b.Peek(4); string(start) != "PK\x03\x04" && in.Passphrase == "" {
		return b, nil
	}
	text, err := io.ReadAll(b)
	if err != nil || !IsSaved(text) {
		return bytes.NewReader(text), err
	}
	document, _, err := in.Document(text, false)
	return bytes.NewReader(document), err
}

// exact are the members of changes that need no schemas.
var exact = []string{"actions", "action_reason", "replace_paths", "previous_address", "importing", "deposed", "provider_name", "mode", "type", "name", "index"}

// Hides reports whether what a member of an object is hangs on schemas that are missing.
func (p *Plan) Hides(address, what string) bool {
	if len(p.hidden) == 0 {
		return false
	}
	for _, prefix := range []string{"drift.", "deferred."} {
		what = strings.TrimPrefix(what, prefix)
	}
	if _, after, ok := strings.Cut(what, ": "); ok { // of a deposed object
		what = after
	}
	first, _, _ := strings.Cut(what, ".")
	if first, _, _ = strings.Cut(first, "["); slices.Contains(exact, first) {
		return false
	}
	for _, rc := range slices.Concat(p.ResourceChanges, p.ResourceDrift) {
		if rc != nil && (rc.Address == address || configAddress(rc) == address) && p.IsHidden(rc.ProviderName, rc.Mode, rc.Type) {
			return true
		}
	}
	// A resource of the configuration that the plan does not name may be of such a type as well.
	return first == "configuration" && address != "plan"
}

func configAddress(rc *planjson.ResourceChange) string {
	a, err := rc.Addr()
	if err != nil {
		return ""
	}
	return a.Config().String()
}
