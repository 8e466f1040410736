// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"reflect"
	"strings"
	"sync"
)

// words are those of the format itself, by the types of the fields that have them.
var words = sync.OnceValue(func() map[any]bool {
	words := make(map[any]bool)
	addWords(words, ActionNoOp, ActionCreate, ActionRead, ActionUpdate, ActionReplace, ActionDelete, ActionMove, ActionImport, ActionForget, ActionOpen,
		ActionRenew, ActionClose)
	addWords(words, ReplaceBecauseTainted, ReplaceByRequest, ReplaceBecauseCannotUpdate, "unknown", ReplaceByTriggers, DeleteBecauseNoResourceConfig,
		DeleteBecauseWrongRepetition, DeleteBecauseCountIndex, DeleteBecauseEachKey, DeleteBecauseNoModule, DeleteBecauseNoMoveTarget, DeleteBecauseEnabledFalse,
		ReadBecauseConfigUnknown, ReadBecauseDependencyPending, ReadBecauseCheckNested, ForgotBecauseLifecycleDestroyInConfig, ForgotBecauseLifecycleDestroyInState)
	addWords(words, SeverityError, SeverityWarning, SeverityUnknown)
	addWords(words, TestPending, TestSkip, TestPass, TestFail, TestError)
	addWords(words, TestStarting, TestRunning, TestTeardown, TestComplete)
	addWords(words, TypeVersion, TypeLog, TypeDiagnostic, TypeOutput, TypeStateLockAcquire, TypeStateLockRelease, TypePlannedChange, TypeResourceDrift,
		TypeDriftSummary, TypeChangeSummary, TypeOutputs, TypePlannedActionInvocation, TypeApplyStart, TypeApplyProgress, TypeApplyComplete,
		TypeApplyErrored, TypeProvisionStart, TypeProvisionProgress, TypeProvisionComplete, TypeProvisionErrored, TypeRefreshStart, TypeRefreshComplete,
		TypeEphemeralOpStart, TypeEphemeralOpProgress, TypeEphemeralOpComplete, TypeEphemeralOpErrored, TypeEphemeralActionStarted,
		TypeEphemeralActionComplete, TypeActionStart, TypeActionProgress, TypeActionComplete, TypeActionErrored, TypeTestAbstract, TypeTestFile,
		TypeTestRun, TypeTestPlan, TypeTestState, TypeTestCleanup, TypeTestInterrupt, TypeTestSummary, TypeTestStatus, TypeListStart,
		TypeListResourceFound, TypeListComplete, TypePolicyInfo, TypePolicyDiagnostic, TypePolicyResult, TypePolicyQuerySummary, TypeInitOutput,
		TypeMigrationErrored, TypeWorkspaceList, TypeResourceAddress, TypeReplaceProvider)
	addWords(words, LevelTrace, LevelDebug, LevelInfo, LevelWarn, LevelError)
	addWords(words, otherTypes...)
	return words
})

// otherTypes are the types of messages that have no members of their own, and no constant.
var otherTypes = []Type{
	"applied_action_invocation", "built_in_provider_available", "migration_complete", "migration_destination_initialization_complete",
	"migration_destination_initialization_start", "migration_finalized", "migration_source_initialization_complete",
	"migration_source_initialization_start", "migration_start", "provider_automatic_approval", "provider_installation_start",
	"provider_interactive_approval", "provider_interactive_rejection", "provider_lockfile_created", "provider_lockfile_updated",
	"provider_query_use_constraints", "provider_query_use_latest", "provider_query_use_previous_version", "provider_version_already_installed",
	"provider_version_found_in_cache_dir", "provider_version_installation_complete", "provider_version_installation_start",
	"state_store_provider_installation_start", "test_retry", "third_party_providers_installed",
}

func addWords[W ~string](to map[any]bool, words ...W) {
	for _, w := range words {
		to[w] = true
	}
}

// isStreamVersion reports whether text has the form of the version of the stream.
func isStreamVersion(text string) bool {
	major, minor, ok := strings.Cut(text, ".")
	return ok && isShortNumber(major) && isShortNumber(minor)
}

func isShortNumber(text string) bool {
	return text != "" && len(text) <= 3 && strings.Trim(text, "0123456789") == ""
}

// keepWords puts words of the format back into a message from which secrets were
// removed: what was said in such a word, as the type of the message or an action, is not
// a secret, even if one is the same word.
func (m *Message) keepWords(was *Message) {
	if was.Module == "tofu.ui" || was.Module == "terraform.ui" {
		m.Module = was.Module
	}
	if isStreamVersion(was.UI) {
		m.UI = was.UI
	}
	if _, err := was.Time(); err == nil {
		m.Timestamp = was.Timestamp
	}
	keepWords(reflect.ValueOf(m).Elem(), reflect.ValueOf(was).Elem())
}

func keepWords(v, was reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !was.IsNil() {
			keepWords(v.Elem(), was.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				keepWords(v.Field(i), was.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // a Value
		}
		for i := range min(v.Len(), was.Len()) {
			keepWords(v.Index(i), was.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if from := was.MapIndex(key); from.IsValid() && v.Type().Elem().Kind() == reflect.Pointer {
				keepWords(v.MapIndex(key), from)
			}
		}
	case reflect.String:
		if words()[was.Interface()] {
			v.Set(was)
		}
	}
}
