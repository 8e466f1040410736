// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// A bom is a bill of materials in the form of CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/.
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// materials lists the modules and the version of Go that a binary was built from, as the binary
// itself says. The hash of the binary is in it, and gives the list its number.
func materials(name string, at time.Time) ([]byte, error) {
	info, err := buildinfo.ReadFile(name)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	main := part("application", &info.Main)
	main.Name = filepath.Base(name)
	main.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	b := bom{Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		SerialNumber: number(sum),
		Metadata:     metadata{at.UTC().Format(time.RFC3339), main}}
	own := dependency{Ref: main.Ref}
	for _, m := range append([]*debug.Module{{Path: "std", Version: info.GoVersion}}, info.Deps...) {
		c := part("library", m)
		b.Components = append(b.Components, c)
		own.DependsOn = append(own.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{own}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}

// number makes a UUID (version 8, RFC 9562) of a hash.
func number(sum [sha256.Size]byte) string {
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// part is a module as a component.
func part(kind string, m *debug.Module) component {
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	return component{Type: kind, Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
}
