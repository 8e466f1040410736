// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rawState returns a state with so many objects.
func rawState(serial, objects int) string {
	var list []string
	for i := range objects {
		list = append(list, fmt.Sprintf(`{"mode":"managed","type":"terraform_data","name":"r%d","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"schema_version":0,"attributes":{"id":"i%d","input":null,"output":null,"triggers_replace":null},"sensitive_attributes":[]}]}`, i, i))
	}
	return fmt.Sprintf("{\n  \"version\": 4,\n  \"terraform_version\": \"1.12.6\",\n  \"serial\": %d,\n  \"lineage\": \"7a2c\\\\\",\n  \"outputs\": {},\n  \"resources\": [%s],\n  \"check_results\": null\n}\n", serial, strings.Join(list, ","))
}

func packed(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// scanned scans files in an empty folder and returns the answer to a query.
func scanned(t *testing.T, files map[string]string, query string, options ...string) (answer, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		name = filepath.Join("in", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	status, stdout, stderr := fleet(t, append(append([]string{"scan", "-out", "x.db"}, options...), "in")...)
	if status == exitUsage {
		t.Fatal(stdout, stderr)
	}
	_, answer, errs := fleet(t, "query", "-format", "csv", "x.db", query)
	return answer, stderr + errs
}

// TestBackups scans what runs leave in a folder: after apply and destroy of three objects the
// workspace has none.
func TestBackups(t *testing.T) {
	files := map[string]string{
		"terraform.tfstate":                   rawState(5, 0),
		"terraform.tfstate.backup":            rawState(4, 3),
		"terraform.tfstate.1700000000.backup": rawState(3, 2),
		"out.tfstate.backup":                  rawState(2, 2),
		"out.backup":                          rawState(2, 1),
		"errored.tfstate":                     rawState(6, 3),
		"default.tfstate#1795973253539909":    rawState(7, 3),
		"net-v2026-11-29-172801-000.tfstate":  rawState(8, 3),
		"errored_test.tfstate":                rawState(1, 3),
		"old/terraform.tfstate":               "",
		"old/terraform.tfstate.backup":        rawState(9, 1),
		"copy/terraform.tfstate":              rawState(4, 3), // the same text as that of a backup
		".terraform.tfstate.lock.info":        `{"ID":"1","Operation":"OperationTypeApply","Info":"","Who":"me@host","Version":"1.12.6","Created":"2026-11-29T01:03:02Z","Path":"terraform.tfstate"}`,
		"lock.json":                           `{"Items":[{"LockID":{"S":"b/k-md5"},"Digest":{"S":"d41d8cd98f00b204e9800998ecf8427e"}}]}`,
	}
	got, stderr := scanned(t, files, `SELECT workspace, kind, serial, current, count(*) AS n FROM sources JOIN documents USING (document) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3`)
	want := "workspace,kind,serial,current,n\nin,backup,1,0,1\nin,backup,2,0,2\nin,backup,3,0,1\nin,backup,4,0,1\nin,backup,6,0,1\nin,backup,7,0,1\nin,backup,8,0,1\nin,state,5,1,1\nin/copy,state,4,1,1\nin/old,backup,9,0,1\nin/old,no state,,1,1\n"
	if got != want || stderr != "" {
		t.Errorf("%s%s, want\n%s", stderr, got, want)
	}
	for query, want := range map[string]string{
		"SELECT count(*) AS n FROM instances":                                                "n\n3\n",
		"SELECT written FROM sources WHERE place LIKE '%.1700000000.backup'":                 "written\n2023-11-14T22:13:20.000Z\n",
		"SELECT DISTINCT lineage FROM documents WHERE kind = 'backup'":                       "lineage\n7a2c\\\n",
		"SELECT count(*) AS n FROM sources WHERE place LIKE '%lock%' OR current IS NULL":     "n\n0\n",
		"SELECT max(serial) AS n FROM sources JOIN documents USING (document) WHERE current": "n\n5\n",
	} {
		if _, got, errs := fleet(t, "query", "-format", "csv", "x.db", query); got != want {
			t.Errorf("%s: %s%s", query, got, errs)
		}
	}
}

// TestDumps reads a state in the form of each store, one with its gzip and one without.
func TestDumps(t *testing.T) {
	a, b := rawState(1, 2), rawState(2, 3)
	encoded := base64.StdEncoding.EncodeToString(packed(a))
	first, second := encoded[:len(encoded)/8*4], encoded[len(encoded)/8*4:]
	secret := func(name, data string) string {
		return `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"` + name + `","namespace":"infra","labels":{"tfstate":"true"}},"type":"Opaque","data":{"tfstate":"` + data + `"}}`
	}
	inYAML := func(name, data string) string {
		return "apiVersion: v1\ndata:\n  tfstate: " + data + "\nkind: Secret\nmetadata:\n  labels:\n    tfstate: \"true\"\n  name: " + name + "\n  namespace: infra\ntype: Opaque\n"
	}
	quoted, _ := json.Marshal(a)
	quotedB, _ := json.Marshal(b)
	var table strings.Builder
	w := csv.NewWriter(&table)
	if err := w.WriteAll([][]string{{"1", "default", a}, {"2", "prod", b}}); err != nil {
		t.Fatal(err)
	}
	escaped := strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`)
	for name, tt := range map[string]struct {
		text, workspaces string
		objects          int
	}{
		"gzip":        {string(packed(a)), "in", 2},
		"secret.json": {secret("tfstate-default-state", encoded), "in/secret.json!infra/tfstate-default-state", 2},
		"list.json":   {`{"apiVersion":"v1","items":[` + secret("tfstate-default-state", encoded) + `,{"apiVersion":"v1","kind":"Secret","metadata":{"name":"other"},"data":{"x":"eA=="}}],"kind":"List","metadata":{"resourceVersion":""}}`, "in/list.json!infra/tfstate-default-state", 2},
		"parts.json":  {`{"apiVersion":"v1","items":[` + secret("tfstate-dev-state-part-1", second) + "," + secret("tfstate-dev-state", first) + `],"kind":"List"}`, "in/parts.json!infra/tfstate-dev-state", 2},
		"secret.yaml": {inYAML("tfstate-default-state", encoded), "in/secret.yaml!infra/tfstate-default-state", 2},
		"two.yaml":    {inYAML("tfstate-a-state", encoded) + "---\n" + inYAML("tfstate-b-state", base64.StdEncoding.EncodeToString([]byte(b))), "in/two.yaml!infra/tfstate-a-state in/two.yaml!infra/tfstate-b-state", 5},
		"list.yaml":   {"apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(inYAML("tfstate-default-state", encoded)), "\n", "\n  ") + "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n", "in/list.yaml!infra/tfstate-default-state", 2},
		"dump.sql":    {"--\n-- PostgreSQL database dump\n--\nCREATE TABLE terraform_remote_state.states (id bigint);\nCOPY terraform_remote_state.states (id, name, data) FROM stdin;\n1\tdefault\t" + escaped.Replace(a) + "\n2\tprod\t" + escaped.Replace(b) + "\n\\.\n\nSELECT 1;\n", "in/dump.sql!terraform_remote_state/default in/dump.sql!terraform_remote_state/prod", 5},
		"table.csv":   {"id,name,data\n" + table.String(), "in/table.csv!default in/table.csv!prod", 5},
		"bare.csv":    {table.String(), "", 0},
		"agg.json":    {`[{"id":1,"name":"default","data":` + string(quoted) + "}, \n {\"id\":2,\"name\":\"prod\",\"data\":" + string(quotedB) + "}]\n", "in/agg.json!default in/agg.json!prod", 5},
		"rows.jsonl":  {`{"id":1,"name":"default","data":` + string(quoted) + "}\n{\"id\":2,\"name\":\"prod\",\"data\":" + string(quotedB) + "}\n", "in/rows.jsonl!default in/rows.jsonl!prod", 5},
		"consul.json": {"[\n\t{\n\t\t\"key\": \"app/prod\",\n\t\t\"flags\": 0,\n\t\t\"value\": \"" + encoded + "\"\n\t},\n\t{\n\t\t\"key\": \"app/prod/.lockinfo\",\n\t\t\"flags\": 0,\n\t\t\"value\": \"e30=\"\n\t}\n]\n", "in/consul.json!app/prod", 2},
		"prodenv:dev": {b, "in", 3},
		"other.yaml":  {"kind: ConfigMap\ndata:\n  tfstate: x\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, stderr := scanned(t, map[string]string{name: tt.text, "x/terraform.tfstate": rawState(1, 1)}, `SELECT group_concat(workspace, ' ') AS w, (SELECT count(*) FROM instances) - 1 AS n FROM (SELECT DISTINCT workspace FROM sources WHERE workspace <> 'in/x' ORDER BY 1)`)
			if want := fmt.Sprintf("w,n\n%s,%d\n", tt.workspaces, tt.objects); name != "bare.csv" && (got != want || stderr != "") {
				t.Errorf("%s%s, want %s", stderr, got, want)
			}
		})
	}
}

// TestDumpsDamaged scans dumps that are cut off or hold something else.
func TestDumpsDamaged(t *testing.T) {
	for name, text := range map[string]string{
		"secret.json": `{"kind":"Secret","metadata":{"name":"x"},"data":{"tfstate":"%%%"}}`,
		"cut.json":    `{"kind":"Secret","metadata":{"name":"x"},"data":{"tfst`,
		"bomb.yaml":   "kind: Secret\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\ndata: {tfstate: *e}\n",
		"rows.json":   `[{"name":"a","data":{"version":4}}]`,
		"gzip":        "\x1f\x8b\x08\x00\x00",
	} {
		if _, stderr := scanned(t, map[string]string{name: text, "x/terraform.tfstate": rawState(1, 1)}, "SELECT 1 AS n"); strings.Contains(stderr, "panic") {
			t.Errorf("%s: %s", name, stderr)
		}
	}
}

// TestSavedPlan scans a saved plan: with its schemas it has the rows of its JSON.
func TestSavedPlan(t *testing.T) {
	const recorded = "../../planjson/planfile/testdata"
	root, err := filepath.Abs(recorded)
	if err != nil {
		t.Fatal(err)
	}
	plan, schemas := recordedPlan(t, root)
	count := `SELECT d.kind, (SELECT count(*) FROM changes) > 0 AS n, (SELECT count(*) FROM faults) AS f FROM sources s LEFT JOIN documents d USING (document)`
	got, stderr := scanned(t, map[string]string{"plan.bin": plan}, count, "-schemas", schemas)
	if got != "kind,n,f\nplan,1,0\n" || stderr != "" {
		t.Errorf("%s%s", stderr, got)
	}
	got, stderr = scanned(t, map[string]string{"plan.bin": plan}, count)
	if got != "kind,n,f\n,0,1\n" || !strings.Contains(stderr, "no schemas for ") {
		t.Errorf("%s%s", stderr, got)
	}
}

// recordedPlan returns a recorded plan and the name of a file with its schemas.
func recordedPlan(t *testing.T, root string) (plan, schemas string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "tofu-1.12.6", "providers-data", "plan.tfplan"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(root, "tofu-1.12.6", "schemas.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	schemas = filepath.Join(t.TempDir(), "schemas.json")
	out, err := os.Create(schemas)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return string(src), schemas
}

// TestStores scans dumps of stores that both tools wrote to: six or four objects in each workspace.
func TestStores(t *testing.T) {
	recorded, err := filepath.Abs("testdata/stores")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	entries, err := os.ReadDir(recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(recorded, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	const both, two = "default 1 6,prod 2 4", "terraform_remote_state/default 1 6,terraform_remote_state/prod 2 4,tf/default 1 6,tf/prod 2 4"
	const consul = "gz/terraform 1 6,gz/terraform-env:prod 2 4,gz/tofu 1 6,gz/tofu-env:prod 2 4"
	secrets := "infra/tfstate-default-lock-terraform 2 1,infra/tfstate-default-lock-tofu 2 1,infra/tfstate-default-net-terraform 2 6,infra/tfstate-default-net-tofu 2 6,infra/tfstate-prod-net-terraform 2 4,infra/tfstate-prod-net-tofu 2 4"
	want := map[string]string{
		"pg_dump.sql": two, "pg_dump-inserts.sql": two, "table.bin": both, "table.csv": both, "table.json": both,
		"pg_dump.tar.gz": "3358.dat!default 1 6,3358.dat!prod 2 4,3359.dat!default 1 6,3359.dat!prod 2 4",
		"secrets.json":   secrets, "secrets.yaml": secrets,
		"etcd.json": "tf/default 1 0,tf/prod 0 0", "etcd-fields.txt": "tf/default 1 0,tf/prod 0 0",
		"http": "in 1 6", "http.lock": "", "dynamodb.json": "",
		"consul.json":      "tf/terraform 1 6,tf/terraform-env:prod 2 4,tf/tofu 1 6,tf/tofu-env:prod 2 4",
		"consul-gzip.json": consul, "consul-api.json": consul, "consul-chunks.json.gz": "big/terraform 1 9,big/tofu 1 9",
		"consul-locked.json": "", "consul-locked-api.json": "", "consul-detailed.txt": "",
		"s3.tar.gz": "env:/prod/infra 3 4,env:/prod/infra 3 4,infra 1 1,infra 1 1,infra 1 6,infra 1 6", "s3-list.xml": "", "s3-versions.json": "", "s3-dynamodb.json": "",
		"gcs.tar.gz": "infra/lock-terraform 2 1,infra/lock-tofu 2 1,infra/net-terraform 2 6,infra/net-terraform 3 4,infra/net-tofu 2 6,infra/net-tofu 3 4", "gcs-list.json": "",
		"gcs-versions.tar.gz": "infra/lock-terraform 1 0,infra/lock-terraform 2 0,infra/lock-tofu 1 0,infra/lock-tofu 2 0," +
			"infra/net-terraform 1 0,infra/net-terraform 1 0,infra/net-terraform 2 0,infra/net-terraform 2 0,infra/net-terraform 3 0," +
			"infra/net-tofu 1 0,infra/net-tofu 1 0,infra/net-tofu 2 0,infra/net-tofu 2 0,infra/net-tofu 3 0",
		"azurerm.tar.gz": "infra 2 4,infra 2 4,infra 2 6,infra 2 6", "azurerm-list.xml": "", "azurerm-tofu.head": "", "azurerm-terraform.head": "",
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			got, stderr := scanned(t, map[string]string{name: text, "x/terraform.tfstate": rawState(1, 1)},
				`SELECT workspace || ' ' || serial || ' ' || (SELECT count(*) FROM instances i WHERE i.document = d.document) AS w FROM sources JOIN documents d USING (document) WHERE workspace <> 'in/x' ORDER BY 1`)
			got = strings.ReplaceAll(strings.TrimPrefix(got, "w\n"), "in/"+name+"!", "")
			if want, ok := want[name]; !ok || strings.ReplaceAll(strings.TrimSpace(got), "\n", ",") != want || stderr != "" {
				t.Errorf("%s%s, want %s", stderr, got, want)
			}
		})
	}
	if len(files) != len(want) {
		t.Errorf("%d recordings, %d are expected", len(files), len(want))
	}
}

// TestDumpsOfOthers reads the table of states among the tables of other applications.
func TestDumpsOfOthers(t *testing.T) {
	a, b := rawState(1, 2), rawState(2, 3)
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	escaped := strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`)
	head := "--\n-- PostgreSQL database dump\n--\n\n"
	trap := "COPY s.states (id, name, data) FROM stdin;\n9\ttrap\t" + escaped.Replace(a) + "\n\\.\nINSERT INTO s.states VALUES (9, 'trap', " + a + ");\n"
	long := "COPY public.blobs (id, body) FROM stdin;\n" + strings.Repeat("1\t"+strings.Repeat("x", 70000)+"\n", 3) + "\\.\n\n"
	table := "COPY s.states (id, name, data) FROM stdin;\n1\tdefault\t" + escaped.Replace(a) + "\n2\tprod\t" + escaped.Replace(b) + "\n3\tnone\t\\N\n\\.\n"
	for name, tt := range map[string]struct {
		text, workspaces, fault string
	}{
		"behind.sql":  {head + long + table, "s/default s/prod", ""},
		"inserts.sql": {head + "INSERT INTO public.notes VALUES (1, " + quoted(trap+"it's") + ", NULL);\nINSERT INTO s.states VALUES\n\t(1, 'default', " + quoted(a) + "),\n\t(2, 'it''s', E" + quoted(strings.NewReplacer("\\", `\\`, "\n", `\n`).Replace(b)) + ");\n", "s/default s/it's", ""},
		"columns.sql": {head + "INSERT INTO s.states (data, id, name) VALUES (" + quoted(a) + ", 1, 'default');\nINSERT INTO files (name, data) VALUES ('x', '\\x00ff');\n", "s/default", ""},
		"rows.sql":    {head + "COPY public.files (name, data) FROM stdin;\nCOPY s.states (id, name, data) FROM stdin;\t{\n\\.\n" + table, "s/default s/prod", ""},
		"cut.sql":     {head + strings.TrimSuffix(table, "\\.\n"), "s/default s/prod", "ends within the table of states"},
		"custom.dump": {"PGDMP\x01\x0e\x00\x04\x08\x01" + strings.Repeat("\x00", 40) + "COPY s.states (id, name, data) FROM stdin;\n", "", "pg_restore"},
		"chunks.json": {`[{"key":"app","flags":0,"value":"` + base64.StdEncoding.EncodeToString([]byte(`{"current-hash":"d41d8cd98f00b204e9800998ecf8427e","chunks":["app/tfstate.d41d8cd98f00b204e9800998ecf8427e/0","app/tfstate.d41d8cd98f00b204e9800998ecf8427e/1"]}`)) +
			`"},{"key":"app/tfstate.d41d8cd98f00b204e9800998ecf8427e/0","flags":0,"value":"` + base64.StdEncoding.EncodeToString([]byte(a[:100])) +
			`"},{"key":"app/tfstate.d41d8cd98f00b204e9800998ecf8427e/1","flags":0,"value":"` + base64.StdEncoding.EncodeToString([]byte(a[100:])) +
			`"},{"key":"app/tfstate.00000000000000000000000000000000/0","flags":0,"value":"` + base64.StdEncoding.EncodeToString([]byte(b[:100])) + `"}]`, "app", ""},
		"missing.json": {`[{"key":"app","flags":0,"value":"` + base64.StdEncoding.EncodeToString([]byte(`{"current-hash":"0f","chunks":["app/tfstate.0f/0"]}`)) + `"}]`, "", "does not have app/tfstate.0f/0"},
		"value.b64":    {base64.StdEncoding.EncodeToString(packed(a)) + "\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, stderr := scanned(t, map[string]string{name: tt.text, "x/terraform.tfstate": rawState(1, 1)}, `SELECT group_concat(workspace, ' ') AS w FROM (SELECT DISTINCT workspace FROM sources WHERE workspace <> 'in/x' AND document IS NOT NULL ORDER BY 1)`)
			got = strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(got, "w\n")), "in/"+name+"!", "")
			if got != tt.workspaces || !strings.Contains(stderr, tt.fault) || (stderr == "") != (tt.fault == "") {
				t.Errorf("%s%s, want %s %s", stderr, got, tt.workspaces, tt.fault)
			}
		})
	}
}
