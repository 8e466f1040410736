// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// TestMain is a provider if it is started as one. What it does is in the variable FAKE.
func TestMain(m *testing.M) {
	if os.Getenv(handshake.MagicCookieKey) == "" {
		os.Exit(m.Run())
	}
	fake()
}

// fake serves the answers in testdata that begin with FAKE, or misbehaves.
func fake() {
	name, data := os.Getenv("FAKE"), os.Getenv("FAKE_DATA")
	fmt.Fprintln(os.Stderr, `{"@level":"info","@message":"not a failure"}`)
	if note := os.Getenv("FAKE_NOTE"); note != "" {
		dir, _ := os.Getwd()
		os.WriteFile(note, fmt.Appendf(nil, "%s\n%s\n%s\n%v", dir, os.Getenv("TMPDIR"), strings.Join(os.Environ(), "\n"), os.Args[1:]), 0o666)
	}
	switch name {
	case "dies":
		fmt.Fprintln(os.Stderr, "cannot find my settings")
		os.Exit(3)
	case "chatter":
		fmt.Println("hello")
		time.Sleep(time.Minute)
	case "net/rpc":
		fmt.Println("1|5|unix|/nowhere|netrpc|")
		time.Sleep(time.Minute)
	case "children":
		child := exec.Command("sleep", "600")
		if err := child.Start(); err != nil {
			os.Exit(4)
		}
		os.WriteFile(os.Getenv("FAKE_CHILD"), fmt.Append(nil, child.Process.Pid), 0o666)
		os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "left behind"), nil, 0o666)
		name = "time-5"
	}
	version := 5
	if strings.HasSuffix(name, "-6") {
		version = 6
	}
	handle := func(_ any, stream grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(stream)
		var in message
		if err := stream.RecvMsg(&in); err != nil {
			return err
		}
		kind := ".schema"
		switch method {
		case identityMethod[version]:
			kind = ".identity"
		case schemaMethod[version]:
		default:
			return status.Error(codes.Unimplemented, "not called by the tools")
		}
		text, err := os.ReadFile(filepath.Join(data, name+kind))
		if err != nil {
			return status.Error(codes.Unimplemented, "no such method")
		}
		return stream.SendMsg(&message{text})
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: map[int]plugin.PluginSet{version: {"provider": served{}}},
		Logger:           hclog.NewNullLogger(),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.UnknownServiceHandler(handle), grpc.ForceServerCodec(serverCodec{}), grpc.MaxSendMsgSize(1<<30))...)
		},
	})
}

// served has no service of its own: all methods are unknown.
type served struct{ connection }

func (served) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

// serverCodec is bytesCodec for what it knows: go-plugin has services with messages of its own.
type serverCodec struct{}

func (serverCodec) Name() string { return "proto" }

func (serverCodec) Marshal(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return proto.Marshal(m)
	}
	return bytesCodec{}.Marshal(v)
}

func (serverCodec) Unmarshal(data []byte, v any) error {
	if m, ok := v.(proto.Message); ok {
		return proto.Unmarshal(data, m)
	}
	return bytesCodec{}.Unmarshal(data, v)
}

// A module is a directory with a provider that is this test.
type module struct{ dir, mirror, h1 string }

func newModule(t *testing.T, address, header string) module {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a system that starts a program of any name, which the copy of this test is")
	}
	p := addrs.MustParseProvider(address)
	m := module{dir: t.TempDir(), mirror: t.TempDir()}
	pkg := filepath.Join(m.mirror, filepath.FromSlash(p.String()), "1.0.0", addrs.CurrentPlatform().String())
	must(t, os.MkdirAll(pkg, 0o777))
	self, err := os.Executable()
	must(t, err)
	text, err := os.ReadFile(self)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(pkg, "terraform-provider-"+p.Type()+"_v1.0.0"), text, 0o777))
	sum, err := checksum.HashDir(context.Background(), pkg)
	must(t, err)
	m.h1 = sum.H1.String()
	data, err := filepath.Abs("testdata")
	must(t, err)
	t.Setenv("FAKE_DATA", data)
	m.write(t, ".terraform.lock.hcl", header+fmt.Sprintf("provider %q {\n  version = \"1.0.0\"\n  hashes = [\n    %q,\n  ]\n}\n", p, m.h1))
	m.write(t, "main.tf", fmt.Sprintf("terraform {\n  required_providers {\n    p = { source = %q }\n  }\n}\n", p))
	return m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m module) write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o666))
}

// run runs the program with the variables of the fake provider.
func (m module) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	for _, name := range []string{"FAKE", "FAKE_DATA", "FAKE_NOTE", "FAKE_CHILD"} {
		args = append(args, "-env", name)
	}
	code = Run(append(args, "-mirror", m.mirror, m.dir), nil, &out, &errs)
	return code, out.String(), errs.String()
}

// TestDocument wants the bytes that the tools have printed, of what real providers have answered.
func TestDocument(t *testing.T) {
	for _, c := range []struct{ fake, provider, header, want string }{
		{"lab-6", "registry.opentofu.org/example/lab", "", "lab-tofu.json"},
		{"http-5", "registry.opentofu.org/hashicorp/http", "# This file is maintained automatically by \"tofu init\".\n", "http-tofu.json"},
		{"time-5", "registry.terraform.io/hashicorp/time", "# This file is maintained automatically by \"terraform init\".\n", "time-terraform.json"},
	} {
		m := newModule(t, c.provider, c.header)
		t.Setenv("FAKE", c.fake)
		want, err := os.ReadFile(filepath.Join("testdata", c.want))
		must(t, err)
		code, out, errs := m.run(t)
		if code != 0 || errs != "" || out != string(want) {
			t.Errorf("%s: exit %d\n%s%s", c.fake, code, errs, out)
		}
	}
}

// TestBuiltIn: the built-in provider is there if the configuration uses it, also without a lock file.
func TestBuiltIn(t *testing.T) {
	m := newModule(t, "registry.opentofu.org/hashicorp/time", "")
	t.Setenv("FAKE", "time-5")
	m.write(t, "data.tf", "resource \"terraform_data\" \"a\" {}\n")
	if code, out, errs := m.run(t); code != 0 || !strings.Contains(out, `"terraform.io/builtin/terraform":{`) || !strings.Contains(out, `hashicorp/time":{`) {
		t.Errorf("exit %d\n%s%s", code, errs, out)
	}
	alone := module{dir: t.TempDir(), mirror: m.mirror}
	alone.write(t, "main.tf", "resource \"terraform_data\" \"a\" {}\n")
	for tool, want := range map[string]string{"tofu": "The OpenTofu workspace to use", "terraform": "The Terraform workspace to use"} {
		text, err := builtInText.ReadFile("builtin/" + tool + ".json")
		must(t, err)
		if code, out, errs := alone.run(t, "-tool", tool); code != 0 || out != string(text) || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d\n%s%s", tool, code, errs, out)
		}
	}
}

// TestRefused: nothing is started, and nothing is printed, if a package is not the locked one.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m module)
		want   string
	}{
		"other hash": {func(m module) {
			m.write(t, ".terraform.lock.hcl", "provider \"registry.opentofu.org/hashicorp/time\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"]\n}\n")
		}, "which the lock file does not have"},
		"no h1": {func(m module) {
			m.write(t, ".terraform.lock.hcl", "provider \"registry.opentofu.org/hashicorp/time\" {\n  version = \"1.0.0\"\n  hashes = [\"zh:"+strings.Repeat("0", 64)+"\"]\n}\n")
		}, "has no h1 hash"},
		"not there":    {func(m module) { must(t, os.RemoveAll(filepath.Join(m.mirror, "registry.opentofu.org"))) }, "is not in"},
		"no lock file": {func(m module) { must(t, os.Remove(filepath.Join(m.dir, ".terraform.lock.hcl"))) }, "there is no .terraform.lock.hcl"},
		"not locked":   {func(m module) { m.write(t, "more.tf", "resource \"null_resource\" \"a\" {}\n") }, "does not have provider registry.opentofu.org/hashicorp/null"},
		"one of two is": {func(m module) {
			lock, err := os.ReadFile(filepath.Join(m.dir, ".terraform.lock.hcl"))
			must(t, err)
			m.write(t, ".terraform.lock.hcl", string(lock)+"provider \"registry.opentofu.org/hashicorp/zzz\" {\n  version = \"1.0.0\"\n  hashes = [\""+m.h1+"\"]\n}\n")
		}, "hashicorp/zzz"},
	} {
		m := newModule(t, "registry.opentofu.org/hashicorp/time", "")
		note := filepath.Join(t.TempDir(), "started")
		t.Setenv("FAKE", "time-5")
		t.Setenv("FAKE_NOTE", note)
		c.change(m)
		code, out, errs := m.run(t)
		if code != 1 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d\n%s%s", name, code, errs, out)
		}
		if _, err := os.Stat(note); err == nil {
			t.Errorf("%s: a provider was started", name)
		}
	}
}

// TestFailures: a provider that fails is named, with what it wrote.
func TestFailures(t *testing.T) {
	data := t.TempDir()
	answers := map[string][]byte{
		"broken-5":   {0xff, 0xff, 0xff},
		"empty-5":    {},
		"utf8-5":     inBlock(4, []byte{0xff}),
		"both-6":     block(attribute("a", func(b []byte) []byte { return protowire.AppendBytes(protowire.AppendTag(b, 10, 2), []byte{0x18, 1}) })),
		"untyped-6":  block(appendText(nil, 2, "\x0a\x01a\x28\x01")),
		"error-5":    appendText(nil, 4, string(appendText([]byte{0x08, 1}, 2, "Cannot start"))),
		"deep-6":     block(deep(1000)),
		"optional-6": block(appendText(nil, 2, string(append(appendText(appendText(nil, 1, "a"), 2, `["object",{"x":"string"},["y"]]`), 0x28, 1)))),
		"large-5":    bytes.Repeat(appendText(nil, 99, strings.Repeat("x", 1<<20)), 65),
	}
	for name, text := range answers {
		must(t, os.WriteFile(filepath.Join(data, name+".schema"), text, 0o666))
	}
	for fake, want := range map[string]string{
		"dies": "cannot find my settings", "chatter": "hello", "net/rpc": "",
		"broken-5": "", "empty-5": "no schema of its configuration", "utf8-5": "not UTF-8", "both-6": "cannot both be set", "untyped-6": "has no type",
		"error-5": "Cannot start", "deep-6": "nests more than", "optional-6": `attribute "a"`, "large-5": "larger than max",
	} {
		m := newModule(t, "registry.opentofu.org/example/odd", "")
		t.Setenv("FAKE", fake)
		t.Setenv("FAKE_DATA", data)
		code, out, errs := m.run(t)
		if code != 1 || out != "" || !strings.HasPrefix(errs, "tofuwire schemas: provider registry.opentofu.org/example/odd 1.0.0: ") || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d\n%s%s", fake, code, errs, out)
		}
	}
}

// appendText appends a field with text.
func appendText(b []byte, number protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), text)
}

// block returns an answer with a schema of the provider that has this block.
func block(b []byte) []byte { return appendText(nil, 1, string(appendText(nil, 2, string(b)))) }

// inBlock returns an answer with one field of the block.
func inBlock(number protowire.Number, text []byte) []byte {
	return block(appendText(nil, number, string(text)))
}

// attribute returns an optional attribute of type string, with more fields.
func attribute(name string, more func([]byte) []byte) []byte {
	a := append(appendText(appendText(nil, 1, name), 2, `"string"`), 0x28, 1)
	return appendText(nil, 2, string(more(a)))
}

// deep returns a block in which blocks nest.
func deep(n int) []byte {
	var b []byte
	for range n {
		b = appendText(nil, 3, string(appendText(append(appendText(nil, 1, "b"), 0x18, 2), 2, string(b))))
	}
	return b
}

// TestSurroundings: a provider runs in DIR, with a clean environment, and neither it nor its children
// nor its files are left.
func TestSurroundings(t *testing.T) {
	m := newModule(t, "registry.opentofu.org/hashicorp/time", "")
	note, child := filepath.Join(t.TempDir(), "note"), filepath.Join(t.TempDir(), "child")
	t.Setenv("FAKE", "children")
	t.Setenv("FAKE_NOTE", note)
	t.Setenv("FAKE_CHILD", child)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	if code, _, errs := m.run(t); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	text, err := os.ReadFile(note)
	must(t, err)
	lines := strings.Split(string(text), "\n")
	if want, err := filepath.EvalSymlinks(m.dir); err != nil || lines[0] != want {
		t.Errorf("it runs in %s, want %s", lines[0], want)
	}
	if _, err := os.Stat(lines[1]); err == nil || lines[1] == "" || lines[1] == os.Getenv("TMPDIR") {
		t.Errorf("its temporary directory %q is there", lines[1])
	}
	if strings.Contains(string(text), "AWS_") || !strings.Contains(string(text), "\nPATH=") {
		t.Errorf("its environment:\n%s", text)
	}
	pid, err := os.ReadFile(child)
	must(t, err)
	for range 3000 {
		state, err := os.ReadFile("/proc/" + string(pid) + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("its child %s is alive", pid)
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-tool", "x"}, {"a", "b"}, {"-env", "A=B"}, {"-env", ""}, {"-release", "1"}} {
		var out, errs bytes.Buffer
		if code := Run(args, nil, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit %d\n%s%s", args, code, &out, &errs)
		}
	}
}

// FuzzAnswers: whatever a provider answers is an error, or a document.
func FuzzAnswers(f *testing.F) {
	for _, name := range []string{"lab-6", "http-5", "time-5"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".schema"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, text)
	}
	identity, err := os.ReadFile("testdata/lab-6.identity")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{}, identity)
	f.Fuzz(func(t *testing.T, text, identity []byte) {
		for _, version := range []int{5, 6} {
			r := newReader(version, addrs.Terraform)
			s, err := r.readSchemas(text)
			if err != nil {
				continue
			}
			if ids, err := readIdentities(identity); err == nil {
				addIdentities(s, ids)
			}
			if again, err := r.readSchemas(append(text, text...)); err != nil || len(again.ResourceSchemas) != len(s.ResourceSchemas) {
				t.Errorf("the same message twice: %v", err)
			}
		}
	})
}
