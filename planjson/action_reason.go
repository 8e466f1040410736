// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

// An ActionReason says why a change is planned, if its actions do not explain
// themselves. It is an open enumeration: other values are kept.
//
// Source: OpenTofu internal/command/jsonplan/plan.go.
type ActionReason string

// Why an object is replaced.
const (
	ReplaceBecauseCannotUpdate ActionReason = "replace_because_cannot_update" // an attribute cannot change in place
	ReplaceBecauseTainted      ActionReason = "replace_because_tainted"
	ReplaceByRequest           ActionReason = "replace_by_request"  // -replace
	ReplaceByTriggers          ActionReason = "replace_by_triggers" // replace_triggered_by; Terraform 1.2
)

// Why an object is deleted, or forgotten. Terraform 1.1 if nothing else is said.
const (
	DeleteBecauseNoResourceConfig ActionReason = "delete_because_no_resource_config" // the block is gone
	DeleteBecauseWrongRepetition  ActionReason = "delete_because_wrong_repetition"   // count and for_each, or neither
	DeleteBecauseCountIndex       ActionReason = "delete_because_count_index"        // the index is out of range
	DeleteBecauseEachKey          ActionReason = "delete_because_each_key"           // the key is not in for_each
	DeleteBecauseNoModule         ActionReason = "delete_because_no_module"          // the module instance is gone
	DeleteBecauseNoMoveTarget     ActionReason = "delete_because_no_move_target"     // moved to where no block is; Terraform 1.3
	DeleteBecauseEnabledFalse     ActionReason = "delete_because_enabled_false"      // lifecycle enabled; OpenTofu 1.11
)

// Why an object is forgotten although it would be destroyed. OpenTofu 1.12.
const (
	ForgotBecauseLifecycleDestroyInConfig ActionReason = "forgot_because_lifecycle_destroy_in_config"
	ForgotBecauseLifecycleDestroyInState  ActionReason = "forgot_because_lifecycle_destroy_in_state"
)

// Why a data source is read only when applying.
const (
	ReadBecauseConfigUnknown     ActionReason = "read_because_config_unknown"     // Terraform 1.2
	ReadBecauseDependencyPending ActionReason = "read_because_dependency_pending" // Terraform 1.2
	ReadBecauseCheckNested       ActionReason = "read_because_check_nested"       // in a check block; Terraform 1.5
)
