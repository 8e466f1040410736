// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import "fmt"

// A Kind says how an argument is read: which expressions may stand there, and
// what a JSON string means there. The kinds are described in package hclconfig.
type Kind uint8

// The kinds of arguments.
const (
	KindExpression Kind = iota
	KindStatic
	KindLiteral
	KindType
	KindReference
	KindReferenceList
	KindAttributeList
	KindKeyword
	KindKeywordList
	KindSource
	KindSourceList
	KindProviderReference
	KindProviderMap
	KindProviderRequirement
	KindIgnored
)

var kindNames = [...]string{
	KindExpression:          "expression",
	KindStatic:              "static expression",
	KindLiteral:             "literal",
	KindType:                "type constraint",
	KindReference:           "reference",
	KindReferenceList:       "list of references",
	KindAttributeList:       "list of attribute references",
	KindKeyword:             "keyword",
	KindKeywordList:         "list of keywords",
	KindSource:              "reference expression",
	KindSourceList:          "list of reference expressions",
	KindProviderReference:   "provider reference",
	KindProviderMap:         "map of provider references",
	KindProviderRequirement: "provider requirement",
	KindIgnored:             "ignored",
}

// String returns the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Element returns the kind of the elements of a list of kind k.
func (k Kind) Element() Kind {
	switch k {
	case KindReferenceList:
		return KindReference
	case KindKeywordList:
		return KindKeyword
	case KindSourceList:
		return KindSource
	case KindProviderMap:
		return KindProviderReference
	case KindAttributeList:
		return KindAttributeList
	}
	return k
}

// Templates reports whether a JSON string of kind k is a template.
func (k Kind) Templates() bool { return k == KindExpression || k == KindStatic }

// Bare reports whether a JSON string of kind k holds native source, without
// the marks of a template.
func (k Kind) Bare() bool {
	switch k {
	case KindType, KindReference, KindReferenceList, KindAttributeList, KindKeyword, KindKeywordList,
		KindSource, KindSourceList, KindProviderReference, KindProviderMap:
		return true
	}
	return false
}
