// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// A Program is one of the programs that have the language.
type Program uint8

const (
	// OpenTofu is tofu.
	OpenTofu Program = iota
	// Terraform is terraform.
	Terraform
)

// A builtin is one function. The releases are minor versions, such as 7 for
// 1.7: the first that has the function. 0 means every release, never means no release.
type builtin struct {
	name            string
	fn              function.Function
	tofu, terraform int
}

const never = 1 << 20

// convertSince is the first release of each program that has convert, released the
// newest minor version of each that is no pre-release, and newest the newest one that
// this package knows.
var (
	convertSince = [...]int{OpenTofu: 13, Terraform: 15}
	released     = [...]int{OpenTofu: 12, Terraform: 15}
	newest       = [...]int{OpenTofu: 13, Terraform: 17}
)

// Shorthands for the table.
var (
	str  = cty.String
	num  = cty.Number
	boo  = cty.Bool
	dyn  = cty.DynamicPseudoType
	strs = cty.List(cty.String)
)

// table has every function of both programs.
var table = []builtin{
	{"abs", bounded(stdlib.AbsoluteFunc), 0, 0},
	{"abspath", effect(str, str), 0, 0},
	{"alltrue", alltrueFunc, 0, 0},
	{"anytrue", anytrueFunc, 0, 0},
	{"assumeequal", assumeequalFunc, 13, never},
	{"assumelistlength", assumingLength(cty.List, minMaxLength, num, num), 13, never},
	{"assumelistlengthmax", assumingLength(cty.List, maxLength, num), 13, never},
	{"assumelistlengthmin", assumingLength(cty.List, minLength, num), 13, never},
	{"assumemaplength", assumingLength(cty.Map, minMaxLength, num, num), 13, never},
	{"assumemaplengthmax", assumingLength(cty.Map, maxLength, num), 13, never},
	{"assumemaplengthmin", assumingLength(cty.Map, minLength, num), 13, never},
	{"assumenotnull", assumenotnullFunc, 13, never},
	{"assumesetlength", assumingLength(cty.Set, minMaxLength, num, num), 13, never},
	{"assumesetlengthmax", assumingLength(cty.Set, maxLength, num), 13, never},
	{"assumesetlengthmin", assumingLength(cty.Set, minLength, num), 13, never},
	{"assumestringprefix", assumestringprefixFunc, 13, never},
	{"base64decode", forgetful(base64Func), 0, 0},
	{"base64decode", base64Func, never, 10},
	{"base64encode", base64encodeFunc, 0, 0},
	{"base64gunzip", base64gunzipFunc, 7, never},
	{"base64gzip", effect(str, str), 0, 0},
	{"base64sha256", base64OfSHA256, 0, 0},
	{"base64sha512", base64OfSHA512, 0, 0},
	{"basename", basenameFunc, 0, 0},
	{"bcrypt", variadic(str, num, str), 0, 0},
	{"can", cautiousCan, never, 0},
	{"can", tryfunc.CanFunc, 0, 6},
	{"ceil", bounded(stdlib.CeilFunc), 0, 0},
	{"chomp", bounded(stdlib.ChompFunc), 0, 0},
	{"chunklist", bounded(stdlib.ChunklistFunc), 0, 0},
	{"cidrcontains", cidrcontainsFunc, 7, never},
	{"cidrhost", cidrhostFunc(62), 0, 0},
	{"cidrhost", cidrhostFunc(128), 13, never},
	{"cidrnetmask", newCIDRNetmask(true), never, 0},
	{"cidrnetmask", newCIDRNetmask(false), 0, 2},
	{"cidrsubnet", cidrsubnetFunc(true), 0, 0},
	{"cidrsubnet", cidrsubnetFunc(false), 13, never},
	{"cidrsubnets", cidrsubnetsFunc(32), 0, 0},
	{"cidrsubnets", cidrsubnetsFunc(128), 13, never},
	{"coalesce", coalesceFunc, 0, 0},
	{"coalescelist", bounded(stdlib.CoalesceListFunc), 0, 0},
	{"compact", bounded(stdlib.CompactFunc), 0, 0},
	{"concat", bounded(stdlib.ConcatFunc), 0, 0},
	{"contains", notNull(stdlib.ContainsFunc, 1), 0, 0},
	{"contains", stdlib.ContainsFunc, 13, 16},
	{"convert", convertFunc, convertSince[OpenTofu], convertSince[Terraform]},
	{"csvdecode", multiplied("csvdecode", stdlib.CSVDecodeFunc), 0, 0},
	{"dirname", dirnameFunc, 0, 0},
	{"distinct", distinctFunc, 0, 0},
	{"element", newElement(true, true), 0, 0},
	{"element", newElement(false, true), never, 10},
	{"element", bounded(stdlib.ElementFunc), 10, 12},
	{"endswith", textTest(strings.HasSuffix), 0, 3},
	{"ephemeralasnull", loose(1), 11, 10},
	{"file", forgetful(effect(str, str)), 0, 0},
	{"file", effect(str, str), never, 10},
	{"filebase64", effect(str, str), 0, 0},
	{"filebase64sha256", effect(str, str), 0, 0},
	{"filebase64sha512", effect(str, str), 0, 0},
	{"fileexists", forgetful(effect(boo, str)), 0, 0},
	{"fileexists", effect(boo, str), never, 10},
	{"filemd5", effect(str, str), 0, 0},
	{"fileset", effect(cty.Set(str), str, str), 0, 0},
	{"filesha1", effect(str, str), 0, 0},
	{"filesha256", effect(str, str), 0, 0},
	{"filesha512", effect(str, str), 0, 0},
	{"flatten", bounded(stdlib.FlattenFunc), 0, 0},
	{"floor", bounded(stdlib.FloorFunc), 0, 0},
	{"format", multiplied("format", stdlib.FormatFunc), 0, never},
	{"format", nullAsUnknown(multiplied("format", stdlib.FormatFunc)), never, 0},
	{"formatdate", bounded(stdlib.FormatDateFunc), 0, 0},
	{"formatlist", multiplied("formatlist", stdlib.FormatListFunc), 0, never},
	{"formatlist", nullAsUnknown(multiplied("formatlist", stdlib.FormatListFunc)), never, 0},
	{"indent", multiplied("indent", stdlib.IndentFunc), 0, 0},
	{"index", indexFunc, 0, 0},
	{"issensitive", marked(boo, 1), 7, 8},
	{"join", multiplied("join", stdlib.JoinFunc), 0, 0},
	{"jsondecode", bounded(decoding(stdlib.JSONDecodeFunc)), 0, 0},
	{"jsonencode", bounded(stdlib.JSONEncodeFunc), 0, 0},
	{"keys", bounded(stdlib.KeysFunc), 0, 0},
	{"length", lengthFunc, 0, 0},
	{"list", removed("list", "not available in OpenTofu", "tolist([ ... ]) syntax to write a literal list"), 0, never},
	{"list", removed("list", "no longer available", "tolist([ ... ]) syntax to write a literal list"), never, 0},
	{"log", bounded(stdlib.LogFunc), 0, 0},
	{"lookup", lookupFunc, 0, never},
	{"lookup", markedLookupFunc, never, 0},
	{"lower", bounded(stdlib.LowerFunc), 0, 0},
	{"map", removed("map", "not available in OpenTofu", "tomap({ ... }) syntax to write a literal map"), 0, never},
	{"map", removed("map", "no longer available", "tomap({ ... }) syntax to write a literal map"), never, 0},
	{"matchkeys", matchkeysFunc, 0, 0},
	{"max", bounded(stdlib.MaxFunc), 0, 0},
	{"md5", md5Func, 0, 0},
	{"merge", bounded(stdlib.MergeFunc), 0, 0},
	{"min", bounded(stdlib.MinFunc), 0, 0},
	{"nonsensitive", newNonsensitive(true), 0, 0},
	{"nonsensitive", newNonsensitive(false), 7, 7},
	{"one", oneFunc, 0, 0},
	{"parseint", bounded(stdlib.ParseIntFunc), 0, 0},
	{"pathexpand", effect(str, str), 0, 0},
	{"plantimestamp", effect(str), 0, 5},
	{"pow", powFunc, 0, 0},
	{"range", bounded(stdlib.RangeFunc), 0, 0},
	{"regex", shortClasses(bounded(matching(stdlib.RegexFunc))), 0, 0},
	{"regex", bounded(matching(stdlib.RegexFunc)), 11, 14},
	{"regexall", shortClasses(bounded(matching(stdlib.RegexAllFunc))), 0, 0},
	{"regexall", bounded(matching(stdlib.RegexAllFunc)), 11, 14},
	{"replace", newReplace(true), 0, 0},
	{"replace", newReplace(false), 11, 14},
	{"reverse", bounded(stdlib.ReverseListFunc), 0, 0},
	{"rsadecrypt", rsadecryptFunc, 0, 0},
	{"sensitive", sensitiveFunc, 0, 0},
	{"setintersection", bounded(stdlib.SetIntersectionFunc), 0, 0},
	{"setproduct", multiplied("setproduct", setproductFunc), 0, 0},
	{"setsubtract", bounded(stdlib.SetSubtractFunc), 0, 0},
	{"setunion", bounded(stdlib.SetUnionFunc), 0, 0},
	{"sha1", sha1Func, 0, 0},
	{"sha256", sha256Func, 0, 0},
	{"sha512", sha512Func, 0, 0},
	{"signum", bounded(stdlib.SignumFunc), 0, 0},
	{"slice", bounded(stdlib.SliceFunc), 0, 0},
	{"sort", bounded(stdlib.SortFunc), 0, 0},
	{"split", bounded(stdlib.SplitFunc), 0, 0},
	{"startswith", textTest(strings.HasPrefix), 0, 3},
	{"strcontains", textTest(strings.Contains), 0, 5},
	{"strrev", bounded(stdlib.ReverseFunc), 0, 0},
	{"substr", bounded(stdlib.SubstrFunc), 0, 0},
	{"sum", newSum(true), never, 0},
	{"sum", newSum(false), 0, 1},
	{"templatefile", effect(dyn, str, dyn), never, 0},
	{"templatefile", publicPath(effect(dyn, str, dyn)), 0, 1},
	{"templatefile", effect(dyn, str, dyn), 8, 9},
	{"templatestring", publicVariables(templatestringFunc), 7, never},
	{"templatestring", templatestringFunc, 13, never},
	{"templatestring", templateReferenceFunc, never, 9},
	{"textdecodebase64", textDecodeFunc, 0, 0},
	{"textencodebase64", textEncodeFunc, 0, 0},
	{"timeadd", bounded(stdlib.TimeAddFunc), 0, 0},
	{"timecmp", timecmpFunc, 0, 3},
	{"timestamp", effect(str), 0, 0},
	{"title", bounded(stdlib.TitleFunc), 0, 0},
	{"tobool", forgetful(bounded(conversionTo(boo))), 0, 0},
	{"tobool", bounded(conversionTo(boo)), never, 10},
	{"tolist", forgetful(bounded(conversionTo(cty.List(dyn)))), 0, 0},
	{"tolist", bounded(conversionTo(cty.List(dyn))), never, 10},
	{"tomap", forgetful(bounded(conversionTo(cty.Map(dyn)))), 0, 0},
	{"tomap", bounded(conversionTo(cty.Map(dyn))), never, 10},
	{"tonumber", forgetful(bounded(conversionTo(num))), 0, 0},
	{"tonumber", bounded(conversionTo(num)), never, 10},
	{"toset", forgetful(bounded(conversionTo(cty.Set(dyn)))), 0, 0},
	{"toset", bounded(conversionTo(cty.Set(dyn))), never, 10},
	{"tostring", forgetful(bounded(conversionTo(str))), 0, 0},
	{"tostring", bounded(conversionTo(str)), never, 10},
	{"transpose", newTranspose(false), 0, 0},
	{"transpose", newTranspose(true), 10, never},
	{"trim", bounded(stdlib.TrimFunc), 0, 0},
	{"trimprefix", bounded(stdlib.TrimPrefixFunc), 0, 0},
	{"trimspace", bounded(stdlib.TrimSpaceFunc), 0, 0},
	{"trimsuffix", bounded(stdlib.TrimSuffixFunc), 0, 0},
	{"try", cautiousTry, never, 0},
	{"try", tryfunc.TryFunc, 0, 6},
	{"upper", bounded(stdlib.UpperFunc), 0, 0},
	{"urldecode", urldecodeFunc, 7, never},
	{"urlencode", urlencodeFunc, 0, 0},
	{"uuid", effect(str), 0, 0},
	{"uuidv5", uuidv5Func, 0, 0},
	{"values", bounded(stdlib.ValuesFunc), 0, 0},
	{"yamldecode", newYAML(false, false, false), never, 0},
	{"yamldecode", newYAML(false, false, true), 0, 4},
	{"yamldecode", newYAML(false, true, true), 9, 10},
	{"yamldecode", newYAML(true, true, true), 12, never},
	{"yamlencode", nullable(str, 1), 0, 0},
	{"zipmap", bounded(stdlib.ZipmapFunc), 0, 0},
}

// namespaced is the first release of each program in which every function is
// known as core::NAME as well.
var namespaced = [...]int{OpenTofu: 7, Terraform: 8}

type release struct {
	program Program
	minor   int
}

var (
	tablesMu sync.Mutex
	tables   = map[release]map[string]function.Function{}
)

// Table returns the functions of release 1.minor of a program, by name. The
// caller must not change it. Releases newer than those this package knows have
// what the newest one has; a negative minor is that of the newest release.
func Table(p Program, minor int) map[string]function.Function {
	if minor < 0 {
		minor = released[p]
	}
	minor = min(minor, newest[p])
	key := release{p, minor}
	tablesMu.Lock()
	defer tablesMu.Unlock()
	if t := tables[key]; t != nil {
		return t
	}
	t := make(map[string]function.Function, 2*len(table))
	for _, e := range table {
		since := e.tofu
		if p == Terraform {
			since = e.terraform
		}
		if minor < since {
			continue
		}
		f := e.fn
		if compute := completions[e.name]; compute != nil {
			f = Completed(f, compute)
		}
		t[e.name] = f
		if minor >= namespaced[p] {
			t["core::"+e.name] = f
		}
	}
	tables[key] = t
	return t
}

// firstReleases returns the first release of each program that has a function, by
// name.
var firstReleases = sync.OnceValue(func() map[string][2]int {
	first := make(map[string][2]int, len(table))
	for _, e := range table {
		r, ok := first[e.name]
		if !ok {
			r = [2]int{never, never}
		}
		first[e.name] = [2]int{OpenTofu: min(r[OpenTofu], e.tofu), Terraform: min(r[Terraform], e.terraform)}
	}
	return first
})

// Since returns the first release of a program that has a function, such as "1.7":
// "0" if every release has it, and "" if none has it. It reports false for a name
// that no program knows.
func Since(p Program, name string) (string, bool) {
	name, core := strings.CutPrefix(name, "core::")
	first, ok := firstReleases()[name]
	minor := first[p]
	if core {
		minor = max(minor, namespaced[p])
	}
	switch {
	case !ok || minor == never:
		return "", ok
	case minor == 0:
		return "0", true
	}
	return "1." + strconv.Itoa(minor), true
}

// changes has the minor releases of each program that do something else with the arguments
// of a function than the ones before, by the name of the function.
var changes = sync.OnceValue(func() map[string]*[2][]int {
	out := map[string]*[2][]int{}
	seen := map[string]*[2]bool{}
	for _, e := range table {
		if out[e.name] == nil {
			out[e.name], seen[e.name] = &[2][]int{}, &[2]bool{}
		}
		for p, since := range [...]int{OpenTofu: e.tofu, Terraform: e.terraform} {
			if since != never && seen[e.name][p] {
				out[e.name][p] = append(out[e.name][p], since)
			}
			seen[e.name][p] = seen[e.name][p] || since != never
		}
	}
	return out
})

// SinceOf returns the first release of a program that takes the arguments of a call, where
// takes tells that of a table of functions: "0" if every release that has the function does,
// and "" if none does.
func SinceOf(p Program, name string, takes func(map[string]function.Function) bool) string {
	at := changes()[strings.TrimPrefix(name, "core::")]
	if at == nil || len(at[OpenTofu])+len(at[Terraform]) == 0 {
		return "0"
	}
	if !takes(Table(p, newest[p])) {
		return ""
	}
	for _, minor := range slices.Backward(at[p]) {
		if !takes(Table(p, minor-1)) {
			if name == "sum" && p == Terraform {
				return "1.1.8" // a patch release brought it
			}
			return "1." + strconv.Itoa(minor)
		}
	}
	return "0"
}
