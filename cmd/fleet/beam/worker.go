// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// provision is the option with which a runner starts a worker in a process of its own.
// Beam's containers have a program of their own for that, which gets the worker's program
// from the runner first. Here the worker's program is there already: it is this one.
var provision = flag.String("provision_endpoint", "", "be a worker of the runner at `ADDRESS`; runners set it, for -environment_type process")

// asWorker asks the runner what a worker must know, and sets the options that Beam
// looks at. It does nothing if no runner has started the program.
func asWorker(ctx context.Context) error {
	if *provision == "" {
		return nil
	}
	id := flag.Lookup("id").Value.String()
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, id), *provision)
	if err != nil {
		return err
	}
	if info.GetLoggingEndpoint().GetUrl() == "" || info.GetControlEndpoint().GetUrl() == "" {
		return fmt.Errorf("the runner at %s does not say where its services are", *provision)
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"worker":           "true",
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(),
		"control_endpoint": info.GetControlEndpoint().GetUrl(),
		"options":          options,
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	if status := info.GetStatusEndpoint().GetUrl(); status != "" {
		os.Setenv("STATUS_ENDPOINT", status)
	}
	os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
	return nil
}
