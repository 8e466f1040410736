// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Snapshot is the state of a run at one moment, as reported by its messages.
// It does not change, so any goroutine may read it. It must not be edited,
// because later snapshots share unchanged parts. It is meant to be written as
// JSON.
type Snapshot struct {
	Tool    addrs.Tool `json:"tool,omitempty"`    // which program it is
	Version string     `json:"version,omitempty"` // of the tool
	UI      string     `json:"ui,omitempty"`      // version of the message format

	Phase Phase `json:"phase"`

	// Outcome is OutcomeRunning until the stream has ended. It is then that of the worst
	// run on the stream: of an earlier one, if that was not a success and the last one was.
	Outcome Outcome `json:"outcome"`

	// Reason is the evidence. It does not quote the stream.
	Reason string `json:"reason,omitempty"`

	Exit *int `json:"exit,omitempty"` // the exit status, if it is known

	// Operation is the operation of the last summary or, without one, of the
	// messages seen so far: plan, apply, destroy, or "" for other commands.
	Operation uijson.Operation `json:"operation,omitempty"`

	Started        time.Time `json:"started"` // when the first message was seen
	Updated        time.Time `json:"updated"` // when the snapshot was made, or the run ended
	ElapsedSeconds float64   `json:"elapsed_seconds"`

	// ETASeconds estimates how long the apply still takes, from the operations
	// that are done. It is nil if they allow no estimate: if a remaining
	// operation is of a kind that has no finished operation, or takes longer than the
	// completed ones did.
	ETASeconds *float64 `json:"eta_seconds,omitempty"`

	// LockWaiting is set while the tool waits for the state lock.
	LockWaiting bool `json:"lock_waiting,omitempty"`
	// Interrupted is set when the tool has been told to stop.
	Interrupted bool `json:"interrupted,omitempty"`

	Planned  Counts  `json:"planned"`            // from the planned changes
	Done     Counts  `json:"done"`               // from the operations that are complete
	Forecast *Counts `json:"forecast,omitempty"` // the tool's summary of the plan
	Reported *Counts `json:"reported,omitempty"` // the tool's summary of the apply

	// Active is the number of running operations, MaxActive the highest number
	// that ran at once, and Failed the number that ended with an error.
	Active    int `json:"active"`
	MaxActive int `json:"max_active"`
	Failed    int `json:"failed"`
	Drifted   int `json:"drifted"` // resources changed outside of the tool

	Errors   int `json:"errors"`   // distinct ones
	Warnings int `json:"warnings"` // distinct ones

	Resources   []*ResourceState    `json:"resources,omitempty"`   // in the order of their first message
	Diagnostics []*DiagnosticState  `json:"diagnostics,omitempty"` // in the order of the stream
	Outputs     []*OutputState      `json:"outputs,omitempty"`     // by name
	Tests       []*TestFileState    `json:"tests,omitempty"`       // in the order of their first message
	TestSummary *uijson.TestSummary `json:"test_summary,omitempty"`
	Lists       []*ListState        `json:"lists,omitempty"` // of a query

	Lines LineCounts `json:"lines"`

	// Earlier has the results of earlier runs on the same stream.
	Earlier []RunResult `json:"earlier,omitempty"`
}

// Resource returns the state of the resource instance, or of the action, with
// this address, or nil if no message was about it. It takes time in proportion
// to the number of resources.
func (s *Snapshot) Resource(addr string) *ResourceState {
	if s == nil {
		return nil
	}
	for _, r := range s.Resources {
		if r.Addr == addr {
			return r
		}
	}
	return nil
}

// LineCounts counts the lines of a stream by kind.
type LineCounts struct {
	Messages int64 `json:"messages"`           // of the stream
	Text     int64 `json:"text,omitempty"`     // text for people
	Blank    int64 `json:"blank,omitempty"`    // empty lines
	Log      int64 `json:"log,omitempty"`      // of the tool's own log
	JSON     int64 `json:"json,omitempty"`     // other JSON
	Oversize int64 `json:"oversize,omitempty"` // above the limit
	Partial  int64 `json:"partial,omitempty"`  // cut off at the end
	Damaged  int64 `json:"damaged,omitempty"`  // parts of messages
}

// A RunResult describes how an earlier run on the same stream ended.
type RunResult struct {
	Tool      addrs.Tool       `json:"tool,omitempty"`      // which program it was
	Version   string           `json:"version,omitempty"`   // of the tool
	Operation uijson.Operation `json:"operation,omitempty"` // the changes made, if known
	Outcome   Outcome          `json:"outcome"`             // how it ended
	Reason    string           `json:"reason,omitempty"`    // the evidence
}

// A Phase is the current activity of a run. It is inferred; no message states
// it.
// Its values include [PhaseStart], [PhaseInit] and [PhaseRefresh].
type Phase string

// The phases.
const (
	PhaseStart   Phase = "start"
	PhaseInit    Phase = "init"
	PhaseRefresh Phase = "refresh" // reads existing objects and data sources
	PhasePlan    Phase = "plan"
	PhaseApply   Phase = "apply"
	PhaseTest    Phase = "test"
	PhaseQuery   Phase = "query"
	PhaseDone    Phase = "done"
)

// A Status is the progress of a resource or of an operation.
// Its values include [StatusPlanned], [StatusRunning], [StatusDone] and [StatusFailed].
type Status string

// The statuses.
const (
	StatusPlanned Status = "planned"
	StatusRunning Status = "running"
	StatusDone    Status = "done"
	StatusFailed  Status = "failed"
)

// A ResourceState is the state of one resource instance, or of one action.
type ResourceState struct {
	Addr   string `json:"addr"`             // the whole address
	Module string `json:"module,omitempty"` // "" for the root module
	Type   string `json:"type,omitempty"`   // the resource type
	Mode   string `json:"mode"`             // managed, data, ephemeral, or action

	// Planned has one element. It has several for a resource with deposed
	// objects, which share its address.
	Planned []PlannedChange `json:"planned,omitempty"`
	Drift   uijson.Action   `json:"drift,omitempty"`

	// Cycles are the operations on the resource, in order: a replacement is two
	// of them, and a data source may be read in the plan and in the apply. If
	// there are very many, only the last ones are kept.
	Cycles []Cycle `json:"cycles,omitempty"`

	// Status is the status of the last cycle, StatusFailed if any has failed,
	// and StatusPlanned if one is planned and none has begun. It is "" for a
	// resource without planned operations.
	Status Status `json:"status,omitempty"`

	Errors int `json:"errors,omitempty"` // error diagnostics with this address

	open bool // whether a cycle was started that settle has not looked at
	gen  uint64
}

// A PlannedChange is a change as the plan announced it.
type PlannedChange struct {
	Action       uijson.Action `json:"action"`                  // the planned action
	Reason       uijson.Reason `json:"reason,omitempty"`        // why
	PreviousAddr string        `json:"previous_addr,omitempty"` // before a move
	Importing    bool          `json:"importing,omitempty"`     // whether an object is also imported
}

// A Cycle is one operation on a resource, from its start to its end.
type Cycle struct {
	// Action is the action: ActionCreate and so on, ActionOpen and so on for
	// ephemeral resources, [ActionRefresh], or [ActionInvoke].
	Action uijson.Action `json:"action"`
	Status Status        `json:"status"`

	// Started and Ended are by the tracker's clock. Started is zero if the
	// beginning was not seen. Ended is zero while the cycle runs.
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`

	// Reported is the duration that the tool reported last, in whole seconds.
	Reported *int64 `json:"reported_seconds,omitempty"`

	IDKey   string `json:"id_key,omitempty"`
	IDValue string `json:"id_value,omitempty"`

	Provisioner  string   `json:"provisioner,omitempty"` // the one that runs, or ran last
	Provisioning bool     `json:"provisioning,omitempty"`
	Tail         []string `json:"tail,omitempty"` // its last lines of output

	Message string `json:"message,omitempty"` // the last message of an action, or its error
}

// Actions of a [Cycle] that the message format does not have.
const (
	ActionRefresh uijson.Action = "refresh"
	ActionInvoke  uijson.Action = "invoke"
)

// Duration returns how long the cycle took by the tracker's clock, never less
// than 0. For a cycle that still runs it is the time until now; pass the
// Updated of the [Snapshot]. If the beginning was not seen, it returns the
// duration that the tool reported.
func (c *Cycle) Duration(now time.Time) time.Duration {
	if c == nil {
		return 0
	}
	if c.Started.IsZero() {
		if c.Reported == nil {
			return 0
		}
		return max(time.Duration(*c.Reported)*time.Second, 0)
	}
	if !c.Ended.IsZero() {
		now = c.Ended
	}
	return max(now.Sub(c.Started), 0)
}

// A DiagnosticState is an error or a warning, and how often it occurred. An
// error that the tool reported without a diagnostic, in the text of a message
// alone, has a Diagnostic with that text as its summary.
type DiagnosticState struct {
	Diagnostic *uijson.Diagnostic `json:"diagnostic"`     // a copy
	Count      int                `json:"count"`          // how often it occurred
	File       string             `json:"file,omitempty"` // the test file, in a test
	Run        string             `json:"run,omitempty"`

	nth int // which of the runs with this name
	gen uint64
}

// An OutputState is the state of a root output, from the plan and from the
// apply. It never has the value of a sensitive output.
type OutputState struct {
	Name      string        `json:"name"`             // of the output
	Action    uijson.Action `json:"action,omitempty"` // from the plan
	Sensitive bool          `json:"sensitive"`
	Type      uijson.Value  `json:"type,omitempty"`  // from the apply
	Value     uijson.Value  `json:"value,omitempty"` // from the apply
}

// A TestFileState is the state of a test file.
type TestFileState struct {
	Path     string              `json:"path"`               // of the file
	Progress uijson.TestProgress `json:"progress,omitempty"` // how far it is
	Status   uijson.TestResult   `json:"status,omitempty"`   // "" until it is known
	Runs     []*TestRunState     `json:"runs,omitempty"`

	// Leftovers are the objects that could not be destroyed, or may be left
	// by an interrupted test.
	Leftovers []string `json:"leftovers,omitempty"`

	// Of Runs and Leftovers, made when they are asked for.
	byName map[string]*namedRuns
	left   map[string]bool
	gen    uint64
}

// A TestRunState is the state of a run block.
type TestRunState struct {
	Name     string              `json:"name"`               // of the run block
	Progress uijson.TestProgress `json:"progress,omitempty"` // how far it is
	Status   uijson.TestResult   `json:"status,omitempty"`   // "" until it is known

	// ElapsedSeconds is how long the run took, without cleaning up. It is
	// nil for OpenTofu, which reports no beginning of a run.
	ElapsedSeconds *float64 `json:"elapsed_seconds,omitempty"`

	started time.Time
}

// A ListState is the state of a list block of a query.
type ListState struct {
	Address string `json:"address"`         // of the list block
	Found   int64  `json:"found"`           // so far
	Total   *int64 `json:"total,omitempty"` // set when it is complete

	gen uint64
}
