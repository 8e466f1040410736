// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// A Kind says how OpenTofu reads an argument: which expressions it allows
// there, and what a JSON string means there. The same JSON string "${a}" is a
// reference in one kind, plain text in another and an error in a third.
type Kind uint8

const (
	// KindExpression is any expression. In JSON every string, and every
	// property name, is a template.
	KindExpression Kind = iota
	// KindStatic is an expression that is evaluated while the configuration
	// is loaded, from variables, local values, path, terraform and the
	// language's own functions only. In JSON it is as KindExpression. OpenTofu
	// has it since 1.8; in Terraform it is KindLiteral.
	KindStatic
	// KindLiteral is a constant. In JSON strings mean themselves, and "${"
	// has no meaning.
	KindLiteral
	// KindType is a type constraint; in JSON a string that holds one.
	KindType
	// KindReference is a reference; in JSON a string that holds it bare.
	KindReference
	// KindReferenceList is a list of references.
	KindReferenceList
	// KindAttributeList is a list of references that are relative to the
	// resource, or the keyword all. Only ignore_changes is of this kind.
	KindAttributeList
	// KindKeyword is a bare word; in JSON a string.
	KindKeyword
	// KindKeywordList is a list of bare words.
	KindKeywordList
	// KindSource is an expression that JSON holds as a string of native
	// source, not as a template.
	KindSource
	// KindSourceList is a list of those.
	KindSourceList
	// KindProviderReference names a provider configuration: aws, aws.west or
	// aws.by_region[each.key].
	KindProviderReference
	// KindProviderMap maps names of provider configurations to others.
	KindProviderMap
	// KindProviderRequirement is one entry of required_providers: a version
	// constraint or an object of literals.
	KindProviderRequirement
	// KindIgnored is accepted and not looked at.
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
	return "kind"
}

// element returns the kind of the elements of a list of kind k.
func (k Kind) element() Kind {
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

// templates reports whether a JSON string of kind k is a template.
func (k Kind) templates(d Dialect) bool {
	return k == KindExpression || k == KindStatic && d == OpenTofu
}

// bare reports whether a JSON string of kind k holds native source, without
// the marks of a template.
func (k Kind) bare() bool {
	switch k {
	case KindType, KindReference, KindReferenceList, KindAttributeList, KindKeyword, KindKeywordList,
		KindSource, KindSourceList, KindProviderReference, KindProviderMap:
		return true
	}
	return false
}
