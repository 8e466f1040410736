// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"errors"
	"fmt"
	"os"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/planjson"
)

// The schemas of providers come as pipelines keep them: compressed by gzip, in UTF-16, with a byte
// order mark or in a log. All programs read them with these functions.

var errNoSchemas = errors.New(`the file is not what "providers schema -json" prints`)

// ReadSchemas reads a file with schemas. The error names the file.
func ReadSchemas(name string) (*planjson.Schemas, error) { return schemasOf(name, DecodeSchemas) }

// ReadConfigSchemas is ReadSchemas for packages of configurations.
func ReadConfigSchemas(name string) (*hclconfig.Schemas, error) {
	return schemasOf(name, DecodeConfigSchemas)
}

func schemasOf[T any](name string, decode func([]byte) (T, error)) (none T, err error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return none, err
	}
	schemas, err := decode(src)
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return schemas, nil
}

// DecodeSchemas decodes the text of a file with schemas. It refuses other documents and newer
// versions.
func DecodeSchemas(src []byte) (*planjson.Schemas, error) {
	src, err := schemasText(src)
	if err != nil {
		return nil, err
	}
	d, err := planjson.DecodeSchemas(src)
	if err == nil {
		err = planjson.CheckVersion(d)
	}
	return d, err
}

// DecodeConfigSchemas is DecodeSchemas for packages of configurations.
func DecodeConfigSchemas(src []byte) (*hclconfig.Schemas, error) {
	src, err := schemasText(src)
	if err != nil {
		return nil, err
	}
	return hclconfig.DecodeSchemas(src)
}

// schemasText returns the document in the text of a file. A configuration without providers has one
// with its format version alone.
func schemasText(src []byte) ([]byte, error) {
	src, err := Plain(src)
	if err != nil {
		return nil, err
	}
	found, err := planjson.Find(src)
	switch {
	case errors.Is(err, planjson.ErrNoDocument), errors.Is(err, planjson.ErrKind):
		return nil, errNoSchemas
	case err != nil:
		return nil, err
	case found.Kind != planjson.DocumentSchemas && !isEmptySchemas(found.Text):
		return nil, errNoSchemas
	}
	return found.Text, nil
}

// isEmptySchemas reports whether a document has a format version and nothing else.
func isEmptySchemas(text []byte) bool {
	d, err := planjson.DecodeSchemas(text)
	if err != nil || d.FormatVersion == "" {
		return false
	}
	for range planjson.Extra(d) {
		return false
	}
	return true
}
