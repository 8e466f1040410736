// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"net/netip"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/lazy"
)

// maxWord is how many letters a plain word has at most.
const maxWord = 12

// isPlain reports whether a text is too plain to be looked for outside its own places:
// a word, two that are joined, or the form of a region, a zone, a size, an address or a
// network.
func isPlain(s string) bool {
	if s == "" || len(s) > maxPlain {
		return false
	}
	joint, digits, points := -1, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-' || c == '_' || c == '.':
			if joint < 0 {
				joint = i
			}
			points = points || c == '.'
		case c == ':':
			points = true
		case '0' <= c && c <= '9':
			digits = true
		}
	}
	switch {
	case joint < 0 && isPlainWord(s), joint >= 0 && isPlainWord(s[:joint]) && isPlainWord(s[joint+1:]):
		return true
	case isRegion(s):
		return true
	case digits && (joint >= 0 || s[0] <= '9' && len(s) <= 12) && isSize(s):
		return true
	}
	return points && isNetwork(s)
}

// maxPlain is how long an address with its zone and port is at most.
const maxPlain = 49

// isPlainWord reports whether a text has nothing but letters, in the case of a word. A
// password can have both cases in any order.
func isPlainWord(s string) bool {
	if s == "" || len(s) > maxWord {
		return false
	}
	lower, upper := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			upper++
		default:
			return false
		}
	}
	return upper == 0 || lower == 0 || upper == 1 && s[0] <= 'Z'
}

// isRegion reports whether a text is that of a region or a zone: eu-west-1, us-east-1a,
// europe-west4-b, westeurope, eu-frankfurt-1.
func isRegion(s string) bool {
	if !mayBeRegion(s) {
		return false
	}
	s = strings.ToLower(s)
	parts := strings.Split(s, "-")
	places, digits := 0, false
	for i, part := range parts {
		word := strings.TrimRight(part, "0123456789")
		if i > 0 && i == len(parts)-1 && digits && len(part) == 1 && word != "" {
			continue // a zone
		}
		if i == len(parts)-1 && i > 0 && len(part) <= 3 && len(part) > 1 && strings.Trim(part[:len(part)-1], "0123456789") == "" && part[len(part)-1] >= 'a' && part[len(part)-1] <= 'z' {
			digits = true
			continue // 1a
		}
		if len(part)-len(word) > 2 {
			return false
		}
		digits = digits || len(part) > len(word)
		if word == "" {
			continue
		}
		if !isGeography(word) {
			return false
		}
		places++
	}
	return places > 0 && places <= 4 && (digits || len(parts) == 1)
}

// mayBeRegion reports whether a text has nothing but the letters, digits and hyphens of a
// region, and digits only at the end of a part, or before its last letter. Most texts are
// told from regions by that.
func mayBeRegion(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	digit, letters := false, 0 // since the last hyphen, and after the last digit
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-':
			digit, letters = false, 0
		case '0' <= c && c <= '9':
			if letters > 0 {
				return false
			}
			digit = true
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			if digit {
				if letters++; letters > 1 {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// isGeography reports whether a text is made of the words that names of regions have.
func isGeography(s string) bool {
	for range 4 {
		if s == "" {
			return true
		}
		if len(s) > 1 && !geographyBegins()[s[:2]] {
			return false
		}
		n := 0
		for k := min(len(s), maxGeography); k > 1; k-- {
			if geography()[s[:k]] {
				n = k
				break
			}
		}
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

const maxGeography = 13

var geography = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(`north south east west central northeast northwest southeast southwest
		us eu ap af ca sa me il cn mx uk de fr nl pl in jp kr au br sg hk it es se no ch ru za ae id my th nz gov iso isob global
		europe asia america northamerica southamerica africa australia brazil canada china france germany india israel italy japan
		korea mexico norway poland qatar spain sweden switzerland uae us usgov usdod malaysia indonesia chile austria newzealand
		frankfurt london amsterdam ashburn phoenix tokyo osaka seoul sydney melbourne mumbai hyderabad singapore zurich paris milan
		madrid stockholm jeddah dubai toronto montreal saopaulo vinhedo santiago johannesburg chuncheon newport marseille jerusalem
		sanjose chicago queretaro monterrey valparaiso bogota dublin warsaw hangzhou shanghai beijing shenzhen zhangjiakou
		huhehaote wulanchabu qingdao heyuan guangzhou chengdu jakarta manila bangkok virginia california oregon ohio texas
		par ams waw lon nyc sfo fra tor blr syd sgp gva zrh vie sof muc dk`) {
		words[word] = true
	}
	return words
})

// geographyBegins has the first two letters of those words.
var geographyBegins = sync.OnceValue(func() map[string]bool {
	begins := make(map[string]bool)
	for word := range geography() {
		begins[word[:2]] = true
	}
	return begins
})

// isSize reports whether a text is the name of a size or an amount: t3.micro,
// Standard_D2s_v3, n1-standard-4, 512Mi.
func isSize(s string) bool {
	if len(s) > 40 {
		return false
	}
	joint, spaced := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-' || c == '_':
			joint = true
		case c == ' ' || c == '/':
			spaced = true // as in "10 Mbit/s"
		case c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
		default:
			return false
		}
		if joint && spaced {
			return false
		}
	}
	return sizes().MatchString(s)
}

var sizes = lazy.Regexp(`^(?:` + strings.Join([]string{
	`(?:db\.|cache\.|ml\.|kafka\.|mq\.|dax\.)?(?:[a-z]{1,4}[0-9]{1,2}[a-z]{0,4}|u-[0-9]{1,2}tb[0-9])(?:-[a-z]{1,4})?\.(?:nano|micro|small|medium|large|[0-9]{0,3}xlarge|metal(?:-[0-9]{1,3}xl)?)(?:\.search|\.elasticsearch)?`,
	`(?:Standard|Basic|Premium)_[A-Z]{1,3}[0-9]{1,3}[a-z]{0,4}(?:-[0-9]{1,3}[a-z]{0,4})?(?:_[A-Z][0-9]{1,4})?(?:_v[0-9])?`,
	`(?:GP|BC|HS|MO|B)_(?:Gen[0-9]|S|Standard)_(?:[A-Z][0-9]{1,3}[a-z]{0,4}(?:_v[0-9])?|[0-9]{1,3})`,
	`(?:db-)?[a-z][0-9]{1,2}[a-z]?-(?:standard|highmem|highcpu|micro|small|medium|large|megamem|ultramem|megagpu|highgpu|perf|node|custom)(?:-[0-9]{1,3})?(?:-[0-9]{3,6})?`,
	`(?:db-)?custom-[0-9]{1,3}-[0-9]{3,6}`,
	`(?:db-)?[a-z]{1,4}[0-9]?-[0-9]{1,3}vcpu-[0-9]{1,4}[gm]b(?:-(?:amd|intel|[0-9]{1,4}gb))*`,
	`[0-9]{1,5}(?:\.[0-9]{1,2})? ?(?:[KMGTPE]i?[Bb]?|[kmgt]i?b|bytes|bits|[kKMG]bps|[kKMG]bit/s|ms|us|ns|vCPU|vcpu|IOPS|iops)`,
}, "|") + `)$`)

// isNetwork reports whether a text is an IP address, with or without a port, or a
// network.
func isNetwork(s string) bool {
	if len(s) > maxPlain || strings.Contains(s, "%") {
		return false
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	_, err := netip.ParseAddrPort(s)
	return err == nil
}

// isName reports whether a text looks like the name of a block, a type or a module: whether it
// is plain is then for the document to say.
func isName(s string) bool { return isWord(s) && isIdentifier(s) }

// isIdentifier reports whether a text can be the name of a block.
func isIdentifier(s string) bool {
	if s == "" || len(s) > 128 || s[0] >= '0' && s[0] <= '9' || s[0] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && c != '_' && c != '-' {
				return false
			}
		}
	}
	return true
}

// isPlainKey reports whether a text is plain if it is the key of an instance: words of
// which the last is a number.
func isPlainKey(s string) bool {
	i := strings.LastIndexAny(s, "-_.")
	if i < 0 || len(s)-i > 4 || strings.Trim(s[i+1:], "0123456789") != "" {
		return false
	}
	return isPlain(s[:i])
}

// isWord reports whether a text that comes with others, such as a key or a text in a
// string of JSON, is too plain to be a secret: words with hyphens and the like between
// them, as in us-east-1. A part that has letters and digits is one if it looks like s3,
// v1 or sha256.
func isWord(s string) bool {
	if len(s) > 40 {
		return false
	}
	for i := 0; i < len(s); i++ {
		lower, upper, digits := 0, 0, 0
		start := i
	part:
		for ; i < len(s); i++ {
			switch c := s[i]; {
			case '0' <= c && c <= '9':
				digits++
			case 'a' <= c && c <= 'z':
				lower++
			case 'A' <= c && c <= 'Z':
				upper++
			case c == '-', c == '_', c == '.', c == '/', c == ':', c == ' ':
				break part
			default:
				return false
			}
		}
		part := s[start:i]
		if digits > 0 && len(part) > 3 && lower+upper > 0 {
			if first := strings.IndexAny(part, "0123456789"); strings.Trim(part[first:len(part)-1], "0123456789") != "" {
				return false // digits in the middle
			}
		}
		year := len(part) == 4 && digits == 4 && (part[:2] == "19" || part[:2] == "20")
		if !year && (digits > 3 || digits == 3 && lower+upper == 0) || digits > 0 && lower > 0 && upper > 0 {
			return false
		}
	}
	return true
}

// isPhrase reports whether a text is one of three and more words, as passphrases are.
func isPhrase(s, between string) bool {
	words := 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(between, r) }) {
		if len(part) > 2 {
			words++
		}
	}
	return words >= 3
}
