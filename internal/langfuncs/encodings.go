// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"encoding/base64"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// textEncodings are the names that IANA gives character encodings, as far as the
// programs have the encodings, in lower case. They make no difference between cases.
const textEncodings = `
437 850 852 855 860 862 863 865 866 ansi_x3.4-1968 ansi_x3.4-1986 arabic asmo-708 big5 ccsid00858 ccsid01140 cp00858 cp01140 cp037 cp367
cp437 cp819 cp850 cp852 cp855 cp860 cp862 cp863 cp865 cp866 cp936 csascii csbig5 cseuckr cseucpkdfmtjapanese csgb18030 csgbk csibm00858
csibm01140 csibm037 csibm1047 csibm855 csibm860 csibm863 csibm865 csibm866 csiso2022jp csiso885913 csiso885914 csiso885915 csiso885916
csiso88596e csiso88596i csiso88598e csiso88598i csisolatin1 csisolatin2 csisolatin3 csisolatin4 csisolatin5 csisolatin6 csisolatinarabic
csisolatincyrillic csisolatingreek csisolatinhebrew cskoi8r cskoi8u csmacintosh cspc850multilingual cspc862latinhebrew cspc8codepage437
cspcp852 csshiftjis csutf16 csutf16be csutf16le csutf8 cswindows1250 cswindows1251 cswindows1252 cswindows1253 cswindows1254 cswindows1255
cswindows1256 cswindows1257 cswindows1258 cswindows874 cyrillic ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-us ebcdic-cp-wt ebcdic-us-37+euro
ecma-114 ecma-118 elot_928 euc-jp euc-kr extended_unix_code_packed_format_for_japanese gb18030 gbk greek greek8 hebrew hz-gb-2312 ibm-1047
ibm00858 ibm01140 ibm037 ibm1047 ibm367 ibm437 ibm819 ibm850 ibm852 ibm855 ibm860 ibm862 ibm863 ibm865 ibm866 iso-2022-jp iso-8859-1
iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-6-e iso-8859-6-i
iso-8859-7 iso-8859-8 iso-8859-8-e iso-8859-8-i iso-8859-9 iso-celtic iso-ir-100 iso-ir-101 iso-ir-109 iso-ir-110 iso-ir-126 iso-ir-127
iso-ir-138 iso-ir-144 iso-ir-148 iso-ir-157 iso-ir-199 iso-ir-226 iso-ir-6 iso646-us iso_646.irv:1991 iso_8859-1 iso_8859-10:1992
iso_8859-14 iso_8859-14:1998 iso_8859-15 iso_8859-16 iso_8859-16:2001 iso_8859-1:1987 iso_8859-2 iso_8859-2:1987 iso_8859-3 iso_8859-3:1988
iso_8859-4 iso_8859-4:1988 iso_8859-5 iso_8859-5:1988 iso_8859-6 iso_8859-6-e iso_8859-6-i iso_8859-6:1987 iso_8859-7 iso_8859-7:1987
iso_8859-8 iso_8859-8-e iso_8859-8-i iso_8859-8:1988 iso_8859-9 iso_8859-9:1989 koi8-r koi8-u l1 l10 l2 l3 l4 l5 l6 l8 latin-9 latin1
latin10 latin2 latin3 latin4 latin5 latin6 latin8 mac macintosh ms936 ms_kanji pc-multilingual-850+euro shift_jis us us-ascii utf-16
utf-16be utf-16le utf-8 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
windows-874 windows-936
`

var knownEncodings = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(textEncodings) {
		out[name] = true
	}
	return out
})

// checkEncoding checks the name of an encoding, the second argument of a function.
func checkEncoding(args []cty.Value) error {
	name := args[1].AsString()
	if !knownEncodings()[strings.ToLower(strings.TrimSpace(name))] {
		return function.NewArgErrorf(1, "%q is not a supported IANA encoding name or alias", name)
	}
	return nil
}

var textEncodeFunc = failing(checkEncoding, str, str, str)

// textDecodeFunc does not decode the text that the base64 encodes.
var textDecodeFunc = failing(func(args []cty.Value) error {
	if err := checkEncoding(args); err != nil {
		return err
	}
	if _, err := base64.StdEncoding.DecodeString(args[0].AsString()); err != nil {
		return function.NewArgErrorf(0, "not valid base64: %w", err)
	}
	return nil
}, str, str, str)
