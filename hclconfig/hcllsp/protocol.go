// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"encoding/json"
	"slices"
	"strings"
)

// The types of the protocol that are used here, with the members that are used: Language Server
// Protocol 3.17. Lists are written as [], never as null.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type locationLink struct {
	TargetURI            string    `json:"targetUri"`
	TargetRange          textRange `json:"targetRange"`
	TargetSelectionRange textRange `json:"targetSelectionRange"`
}

type folder struct {
	URI string `json:"uri"`
}

// clientCapabilities is what the client says that it understands, as it came.
type clientCapabilities map[string]any

// at returns the value at a path such as textDocument.hover.contentFormat, or nil.
func (c clientCapabilities) at(path string) any {
	var value any = map[string]any(c)
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// has reports whether the client has a capability: one that is null or false is none.
func (c clientCapabilities) has(path string) bool {
	value := c.at(path)
	return value != nil && value != false
}

// lists reports whether a list in the capabilities has a word.
func (c clientCapabilities) lists(path, word string) bool {
	list, _ := c.at(path).([]any)
	return slices.Contains(list, any(word))
}

type initializeParams struct {
	ProcessID             *int               `json:"processId"`
	RootPath              *string            `json:"rootPath"`
	RootURI               *string            `json:"rootUri"`
	WorkspaceFolders      []folder           `json:"workspaceFolders"`
	Capabilities          clientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions"`
}

type textDocument struct {
	URI string `json:"uri"`
}

type versionedDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type didOpenParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type contentChange struct {
	Range *textRange `json:"range"` // nil: the text replaces everything
	Text  string     `json:"text"`
}

type didChangeParams struct {
	TextDocument   versionedDocument `json:"textDocument"`
	ContentChanges []contentChange   `json:"contentChanges"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type positionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type rangeParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
}

type codeActionParams struct {
	rangeParams
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type commandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type foldersParams struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

// Tags of diagnostics.
const (
	tagUnnecessary = 1
	tagDeprecated  = 2
)

type codeDescription struct {
	Href string `json:"href"`
}

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type diagnostic struct {
	Range              textRange            `json:"range"`
	Severity           int                  `json:"severity"`
	Code               string               `json:"code,omitempty"`
	CodeDescription    *codeDescription     `json:"codeDescription,omitempty"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	Tags               []int                `json:"tags,omitempty"`
	RelatedInformation []relatedInformation `json:"relatedInformation,omitempty"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type documentEdit struct {
	TextDocument versionedDocument `json:"textDocument"`
	Edits        []textEdit        `json:"edits"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup     `json:"contents"`
	Range    *textRange `json:"range,omitempty"`
}

type documentHighlight struct {
	Range textRange `json:"range"`
	Kind  int       `json:"kind"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          textRange        `json:"range"`
	SelectionRange textRange        `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type documentLink struct {
	Range   textRange `json:"range"`
	Target  string    `json:"target"`
	Tooltip string    `json:"tooltip,omitempty"`
}

type prepareResult struct {
	Range       textRange `json:"range"`
	Placeholder string    `json:"placeholder"`
}
