// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package ask asks an inventory: questions with names, and SQL.
package ask

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Question is a query with a name.
type Question struct {
	Name  string
	Args  string // as in a usage line; optional ones are in brackets
	About string
	SQL   string // with the arguments as ?1, ?2 and so on

	check map[int]func(string) (any, error) // by position
}

// Arguments checks the arguments and returns the values for the query.
func (q *Question) Arguments(args []string) ([]any, error) {
	names := strings.Fields(q.Args)
	required := 0
	for _, name := range names {
		if !strings.HasPrefix(name, "[") {
			required++
		}
	}
	if len(args) < required || len(args) > len(names) {
		return nil, fmt.Errorf("usage: fleet ask DATABASE %s %s", q.Name, q.Args)
	}
	values := make([]any, len(names))
	for i := range names {
		if i >= len(args) {
			continue
		}
		values[i] = args[i]
		if check := q.check[i]; check != nil {
			v, err := check(args[i])
			if err != nil {
				return nil, fmt.Errorf("%s %q: %w", strings.Trim(names[i], "[]"), args[i], err)
			}
			values[i] = v
		}
	}
	return values, nil
}

func version(s string) (any, error) {
	v, err := addrs.ParseVersion(s)
	return v.String(), err
}

// provider keeps a provider without a host as it is; it then means that of any
// registry.
func provider(s string) (any, error) {
	p, err := addrs.ParseProvider(s)
	if err != nil || strings.Count(s, "/") < 2 {
		return s, err
	}
	return p.String(), nil
}

func count(s string) (any, error) {
	n, err := strconv.Atoi(s)
	if err == nil && n < 1 {
		err = fmt.Errorf("must be positive")
	}
	return n, err
}

func date(s string) (any, error) {
	_, err := time.Parse(time.DateOnly, s)
	return s, err
}

// isProvider is the condition that a provider is that of the first argument.
const isProvider = `(x.provider = ?1 OR substr(x.provider, -length(?1) - 1) = '/' || ?1)`

// Questions returns all questions, in the order of the documentation.
func Questions() []*Question {
	return []*Question{
		{Name: "providers-below", Args: "PROVIDER VERSION", About: "workspaces whose lock file has a provider below a version, and how many objects of it their states have",
			SQL: `SELECT s.workspace, x.provider, x.version,
  (SELECT sum(p.instances) FROM sources t JOIN documents d USING (document) JOIN providers p USING (document)
   WHERE t.workspace = s.workspace AND d.kind = 'state' AND p.provider = x.provider) AS instances, s.place, x.offset
FROM lock_entries x JOIN sources s USING (document) WHERE ` + isProvider + ` AND version_compare(x.version, ?2) < 0 ORDER BY s.workspace, s.place`,
			check: map[int]func(string) (any, error){0: provider, 1: version}},
		{Name: "providers", About: "providers of lock files, with the oldest and the newest version",
			SQL: `SELECT x.provider, count(DISTINCT s.workspace) AS workspaces, count(DISTINCT x.version) AS versions, version_min(x.version) AS oldest, version_max(x.version) AS newest
FROM lock_entries x JOIN sources s USING (document) GROUP BY x.provider ORDER BY workspaces DESC, x.provider`},
		{Name: "provider-versions", Args: "PROVIDER", About: "versions of a provider in lock files",
			SQL: `SELECT x.provider, x.version, count(DISTINCT s.workspace) AS workspaces FROM lock_entries x JOIN sources s USING (document)
WHERE ` + isProvider + ` GROUP BY x.provider, x.version ORDER BY x.provider, version_key(x.version)`,
			check: map[int]func(string) (any, error){0: provider}},
		{Name: "states-using", Args: "PROVIDER", About: "states with objects of a provider",
			SQL: `SELECT s.workspace, s.place, x.provider, x.instances FROM providers x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'state' AND x.instances > 0 AND ` + isProvider + ` ORDER BY s.workspace, s.place`,
			check: map[int]func(string) (any, error){0: provider}},
		{Name: "unlocked-providers", About: "required providers that no lock file of the workspace has",
			SQL: `SELECT DISTINCT s.workspace, x.provider, x.required, s.place, x.offset FROM requirements x JOIN sources s USING (document)
WHERE x.provider IS NOT NULL AND x.provider NOT LIKE 'terraform.io/builtin/%'
  AND NOT EXISTS (SELECT 1 FROM sources t JOIN lock_entries l USING (document) WHERE t.workspace = s.workspace AND l.provider = x.provider)
ORDER BY s.workspace, x.provider, s.place`},
		{Name: "weak-locks", About: "lock entries without a hash of one of the two schemes",
			SQL: `SELECT s.workspace, x.provider, x.version, x.h1, x.zh, s.place, x.offset FROM lock_entries x JOIN sources s USING (document)
WHERE x.h1 = 0 OR x.zh = 0 ORDER BY s.workspace, x.provider`},
		{Name: "module-versions", Args: "[SOURCE]", About: "sources and versions of modules; SOURCE is a part of the source",
			SQL: `SELECT x.source, coalesce(x.version, x.required) AS version, count(DISTINCT s.workspace) AS workspaces FROM modules x JOIN sources s USING (document)
WHERE x.source IS NOT NULL AND x.source NOT LIKE './%' AND x.source NOT LIKE '../%' AND (?1 IS NULL OR instr(x.source, ?1) > 0)
GROUP BY 1, 2 ORDER BY 1, 2`},
		{Name: "module-users", Args: "SOURCE [VERSION]", About: "where a module is called; SOURCE is a part of the source, VERSION the version or constraint",
			SQL: `SELECT s.workspace, x.address, x.source, coalesce(x.version, x.required) AS version, s.place, x.offset FROM modules x JOIN sources s USING (document)
WHERE instr(x.source, ?1) > 0 AND (?2 IS NULL OR coalesce(x.version, x.required) = ?2) ORDER BY s.workspace, s.place, x.offset`},
		{Name: "resource-types", About: "resource types of states, with the number of objects and workspaces",
			SQL: `SELECT x.type, sum(x.instances) AS instances, count(DISTINCT s.workspace) AS workspaces FROM resources x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'state' AND x.mode = 'managed' GROUP BY x.type ORDER BY instances DESC, x.type`},
		{Name: "resources-without-tag", Args: "TAG [TYPE]", About: "objects of states that can have tags, but not this one",
			SQL: `SELECT s.workspace, x.address, s.place, x.offset FROM instances x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'state' AND x.mode = 'managed' AND (?2 IS NULL OR x.type = ?2)
  AND x.attributes IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(x.attributes) a WHERE a.key IN ('tags', 'tags_all'))
  AND NOT EXISTS (SELECT 1 FROM json_each(x.attributes) a JOIN json_each(CASE a.type WHEN 'object' THEN a.value ELSE '{}' END) t
    WHERE a.key IN ('tags', 'tags_all') AND t.key = ?1)
ORDER BY s.workspace, x.address`},
		{Name: "destroys-of-type", Args: "TYPE [SINCE]", About: "plans that destroy or replace objects of a type; SINCE is a date",
			SQL: `SELECT s.workspace, d.made, x.address, x.action, x.reason, s.place, x.offset FROM changes x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'plan' AND x.type = ?1 AND x.destroys AND (?2 IS NULL OR d.made >= ?2) ORDER BY d.made, s.workspace, x.address`,
			check: map[int]func(string) (any, error){1: date}},
		{Name: "destroys", Args: "[SINCE]", About: "plans that destroy or replace objects, with their number; SINCE is a date",
			SQL: `SELECT s.workspace, d.made, count(*) AS destroys, s.place FROM changes x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'plan' AND x.mode = 'managed' AND x.destroys AND (?1 IS NULL OR d.made >= ?1)
GROUP BY s.place ORDER BY destroys DESC, s.place`,
			check: map[int]func(string) (any, error){0: date}},
		{Name: "changes-by-action", About: "changes of plans by action",
			SQL: `SELECT x.action, count(*) AS changes, count(DISTINCT x.document) AS plans FROM changes x JOIN documents d USING (document)
WHERE d.kind = 'plan' GROUP BY x.action ORDER BY changes DESC, x.action`},
		{Name: "replacement-causes", About: "attributes that force replacements in plans, by type",
			SQL: `SELECT c.type, x.path, count(*) AS changes FROM changed_attributes x JOIN changes c USING (document, offset)
WHERE x.forces_replacement GROUP BY c.type, x.path ORDER BY changes DESC, c.type, x.path`},
		{Name: "drift", About: "objects that changed outside of the tool",
			SQL: `SELECT s.workspace, x.address, x.action, d.made, s.place, x.offset FROM drift x JOIN documents d USING (document) JOIN sources s USING (document)
ORDER BY s.workspace, x.address, d.made`},
		{Name: "failed-checks", About: "failed conditions, checks and validations",
			SQL: `SELECT s.workspace, coalesce(x.instance, x.address) AS address, coalesce(x.instance_status, x.status) AS status, x.problem, s.place, x.offset
FROM checks x JOIN sources s USING (document) WHERE coalesce(x.instance_status, x.status) IN ('fail', 'error') ORDER BY s.workspace, 2, s.place`},
		{Name: "tainted", About: "objects of states that are marked for replacement",
			SQL: `SELECT s.workspace, x.address, s.place, x.offset FROM instances x JOIN sources s USING (document) WHERE x.tainted ORDER BY s.workspace, x.address`},
		{Name: "deposed", About: "deposed objects of states, which still have to be destroyed",
			SQL: `SELECT s.workspace, x.address, x.deposed, s.place, x.offset FROM instances x JOIN sources s USING (document)
WHERE x.deposed IS NOT NULL ORDER BY s.workspace, x.address`},
		{Name: "outputs", Args: "[NAME]", About: "outputs of states, with their values",
			SQL: `SELECT s.workspace, x.name, x.sensitive, x.value, s.place, x.offset FROM outputs x JOIN documents d USING (document) JOIN sources s USING (document)
WHERE d.kind = 'state' AND (?1 IS NULL OR x.name = ?1) ORDER BY x.name, s.workspace, s.place`},
		{Name: "failed-runs", About: "runs that did not succeed",
			SQL: `SELECT s.workspace, x.started, x.operation, x.outcome, x.errors, s.place FROM runs x JOIN sources s USING (document)
WHERE x.outcome NOT IN ('success', 'no_changes') ORDER BY x.started, s.place`},
		{Name: "errors", About: "errors of runs and validations, the most frequent first",
			SQL: `SELECT x.summary, count(*) AS times, count(DISTINCT s.workspace) AS workspaces FROM diagnostics x JOIN sources s USING (document)
WHERE x.severity = 'error' GROUP BY x.summary ORDER BY times DESC, x.summary`},
		{Name: "slowest-types", Args: "[COUNT]", About: "resource types by the time that their operations take, in seconds",
			SQL: `SELECT x.type, x.action, count(*) AS operations, round(avg(x.milliseconds) / 1000.0, 1) AS mean, round(max(x.milliseconds) / 1000.0, 1) AS longest
FROM timings x WHERE x.milliseconds IS NOT NULL GROUP BY x.type, x.action ORDER BY mean DESC, x.type, x.action LIMIT coalesce(?1, 20)`,
			check: map[int]func(string) (any, error){0: count}},
		{Name: "slowest-resources", Args: "[COUNT]", About: "operations by the time they took, in seconds",
			SQL: `SELECT s.workspace, x.address, x.action, x.status, x.started, round(x.milliseconds / 1000.0, 1) AS seconds, s.place, x.offset
FROM timings x JOIN sources s USING (document) WHERE x.milliseconds IS NOT NULL ORDER BY x.milliseconds DESC, x.address, s.place LIMIT coalesce(?1, 20)`,
			check: map[int]func(string) (any, error){0: count}},
		{Name: "tool-versions", About: "versions of the tools that wrote plans, states and streams",
			SQL: `SELECT d.kind, d.tool, d.tool_version, count(*) AS documents, count(DISTINCT s.workspace) AS workspaces FROM documents d JOIN sources s USING (document)
WHERE d.tool_version IS NOT NULL GROUP BY d.kind, d.tool, d.tool_version ORDER BY d.kind, d.tool, version_key(d.tool_version)`},
		{Name: "workspaces", About: "workspaces with their documents", SQL: `SELECT * FROM workspaces ORDER BY workspace`},
		{Name: "stale", Args: "DATE", About: "workspaces without a change since a date",
			SQL:   `SELECT workspace, last_modified, documents FROM workspaces WHERE last_modified < ?1 ORDER BY last_modified, workspace`,
			check: map[int]func(string) (any, error){0: date}},
		{Name: "duplicates", About: "documents that have several places",
			SQL: `SELECT d.kind, d.bytes, count(*) AS places, min(s.place) AS first, d.document FROM documents d JOIN sources s USING (document)
GROUP BY d.document HAVING places > 1 ORDER BY places DESC, first`},
		{Name: "faults", About: "what could not be read, and why",
			SQL: `SELECT coalesce(x.place, s.place) AS place, x.line, x.column_number, x.pointer, x.message FROM faults x LEFT JOIN sources s ON s.document = x.document
ORDER BY 1, x.offset`},
	}
}

// Find returns the question of a name, or nil.
func Find(name string) *Question {
	for _, q := range Questions() {
		if q.Name == name {
			return q
		}
	}
	return nil
}
