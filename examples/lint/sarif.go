// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// The types below are the parts of a SARIF log that this program writes.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// writeSARIF writes the findings as a SARIF log.
func writeSARIF(w io.Writer, m *hclconfig.Module, found []finding) error {
	files := map[string]*hclconfig.File{}
	for _, f := range m.Files {
		files[f.Filename()] = f
	}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver.Name = "lint"
	index := map[string]int{}
	for i, r := range rules {
		index[r.id] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.id, sarifText{r.text}})
	}
	for _, f := range found {
		res := sarifResult{RuleID: f.rule, RuleIndex: index[f.rule], Level: "warning", Message: sarifText{f.text}, Locations: make([]sarifLocation, 1)}
		if f.isError {
			res.Level = "error"
		}
		at := &res.Locations[0].Physical
		at.Artifact.URI = (&url.URL{Path: f.at.Filename}).EscapedPath()
		if file := files[f.at.Filename]; file != nil && f.at.Start.Line > 0 {
			at.Region = &sarifRegion{f.at.Start.Line, column(file, f.at.Start.Offset), f.at.End.Line, column(file, f.at.End.Offset)}
			if f.at.End.Line == 0 {
				at.Region.EndLine, at.Region.EndColumn = at.Region.StartLine, at.Region.StartColumn
			}
		}
		run.Results = append(run.Results, res)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// column returns the column of offset in characters, from 1.
func column(f *hclconfig.File, offset int64) int {
	text := f.Bytes()[:min(int(offset), len(f.Bytes()))]
	return utf8.RuneCount(text[bytes.LastIndexByte(text, '\n')+1:]) + 1
}
