// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	fn "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipe "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// A runner is the part of a runner that a worker asks first.
type runner struct {
	fn.UnimplementedProvisionServiceServer
	info *fn.ProvisionInfo
	id   string // of the worker that has asked
}

func (r *runner) GetProvisionInfo(ctx context.Context, _ *fn.GetProvisionInfoRequest) (*fn.GetProvisionInfoResponse, error) {
	id, err := grpcx.ReadWorkerID(ctx)
	if err != nil {
		return nil, err
	}
	r.id = id
	if r.info == nil {
		return nil, errors.New("no such worker")
	}
	return &fn.GetProvisionInfoResponse{Info: r.info}, nil
}

// TestAsWorker starts a runner that answers well, with too little, and not at all.
func TestAsWorker(t *testing.T) {
	at := func(url string) *pipe.ApiServiceDescriptor { return &pipe.ApiServiceDescriptor{Url: url} }
	options, err := tools.JSONToProto(`{"job_name":"a"}`)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var r runner
	server := grpc.NewServer()
	fn.RegisterProvisionServiceServer(server, &r)
	go server.Serve(listener)
	t.Cleanup(server.Stop)

	names := []string{"provision_endpoint", "id", "worker", "logging_endpoint", "control_endpoint", "options"}
	values := func() map[string]string {
		all := map[string]string{"STATUS_ENDPOINT": os.Getenv("STATUS_ENDPOINT"), "RUNNER_CAPABILITIES": os.Getenv("RUNNER_CAPABILITIES")}
		for _, name := range names {
			all[name] = flag.Lookup(name).Value.String()
		}
		return all
	}
	t.Setenv("STATUS_ENDPOINT", "")
	t.Setenv("RUNNER_CAPABILITIES", "")
	before := values()
	t.Cleanup(func() {
		for _, name := range names {
			flag.Set(name, before[name])
		}
	})
	if err := asWorker(t.Context()); err != nil || !maps.Equal(values(), before) {
		t.Errorf("without a runner: %v, %v", err, values())
	}

	flag.Set("provision_endpoint", listener.Addr().String())
	flag.Set("id", "7-1")
	before = values()
	for _, info := range []*fn.ProvisionInfo{nil, {LoggingEndpoint: at("l:1")}, {ControlEndpoint: at("c:1")}} {
		r.info = info
		if err := asWorker(t.Context()); err == nil || info != nil && !strings.Contains(err.Error(), "does not say where") {
			t.Errorf("%v: %v", info, err)
		}
		if !maps.Equal(values(), before) {
			t.Errorf("%v: options are set: %v", info, values())
		}
	}
	r.info = &fn.ProvisionInfo{
		LoggingEndpoint: at("l:1"), ControlEndpoint: at("c:2"), StatusEndpoint: at("s:3"),
		PipelineOptions: options, RunnerCapabilities: []string{"one", "two"},
	}
	if err := asWorker(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := values()
	for name, want := range map[string]string{"worker": "true", "logging_endpoint": "l:1", "control_endpoint": "c:2", "STATUS_ENDPOINT": "s:3", "RUNNER_CAPABILITIES": "one two"} {
		if got[name] != want {
			t.Errorf("%s is %q, not %q", name, got[name], want)
		}
	}
	if text := strings.Join(strings.Fields(got["options"]), ""); text != `{"job_name":"a"}` || r.id != "7-1" {
		t.Errorf("options %s, worker %q; set: %v", text, r.id, slices.Sorted(maps.Keys(got)))
	}
	flag.Set("provision_endpoint", "")
}
