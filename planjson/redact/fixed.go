// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
)

// fixedWords are the words of the format in members of verdictFixed.
var fixedWords = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	addWords(words, planjson.ActionNoOp, planjson.ActionCreate, planjson.ActionRead, planjson.ActionUpdate, planjson.ActionDelete, planjson.ActionForget, planjson.ActionOpen)
	addWords(words, planjson.ReplaceBecauseCannotUpdate, planjson.ReplaceBecauseTainted, planjson.ReplaceByRequest, planjson.ReplaceByTriggers,
		planjson.DeleteBecauseNoResourceConfig, planjson.DeleteBecauseWrongRepetition, planjson.DeleteBecauseCountIndex, planjson.DeleteBecauseEachKey,
		planjson.DeleteBecauseNoModule, planjson.DeleteBecauseNoMoveTarget, planjson.DeleteBecauseEnabledFalse,
		planjson.ForgotBecauseLifecycleDestroyInConfig, planjson.ForgotBecauseLifecycleDestroyInState,
		planjson.ReadBecauseConfigUnknown, planjson.ReadBecauseDependencyPending, planjson.ReadBecauseCheckNested)
	addWords(words, planjson.CheckPass, planjson.CheckFail, planjson.CheckError, planjson.CheckUnknown)
	addWords(words, planjson.DeferredUnknown, planjson.DeferredInstanceCountUnknown, planjson.DeferredResourceConfigUnknown, planjson.DeferredProviderConfigUnknown,
		planjson.DeferredPrerequisite, planjson.DeferredAbsentPrerequisite)
	addWords(words, planjson.SeverityError, planjson.SeverityWarning, planjson.SeverityUnknown)
	addWords(words, planjson.EventBeforeCreate, planjson.EventAfterCreate, planjson.EventBeforeUpdate, planjson.EventAfterUpdate)
	addWords(words, addrs.Managed, addrs.Data, addrs.Ephemeral)
	addWords(words, addrs.CheckableResource, addrs.CheckableOutput, addrs.CheckableCheck, addrs.CheckableVariable)
	return words
})

func addWords[W ~string](to map[string]bool, words ...W) {
	for _, w := range words {
		to[string(w)] = true
	}
}

// formatVersion is the form of a version of a format.
var formatVersion = lazy.Regexp(`^[0-9]{1,3}\.[0-9]{1,3}$`)

// isFixed reports whether a value says nothing but words of the format.
func isFixed(text []byte) bool {
	for c := planjson.Value(text).Cursor(); c.Next(); {
		if word, ok := c.Value().Text(); !ok || !fixedWords()[word] && !formatVersion().MatchString(word) {
			return false
		}
	}
	return true
}
