// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// limit is how long a provider may take, from its start to its last answer.
	limit = 60 * time.Second
	// maxMessage is the size of the largest message that the tools take.
	maxMessage = 64 << 20
)

// handshake is what the tools say to a program to make it serve as a provider; it keeps people from starting one by hand.
//
// Source: OpenTofu internal/plugin/serve.go.
var handshake = plugin.HandshakeConfig{
	ProtocolVersion:  4,
	MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
	MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
}

// The methods that are called, by the version of the protocol. Others are not.
//
// Source: OpenTofu docs/plugin-protocol, tfplugin5.10.proto and tfplugin6.10.proto.
var (
	schemaMethod   = map[int]string{5: "/tfplugin5.Provider/GetSchema", 6: "/tfplugin6.Provider/GetProviderSchema"}
	identityMethod = map[int]string{5: "/tfplugin5.Provider/GetResourceIdentitySchemas", 6: "/tfplugin6.Provider/GetResourceIdentitySchemas"}
)

// A connection is a plugin whose client is the connection itself.
type connection struct{ plugin.NetRPCUnsupportedPlugin }

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this program serves no provider")
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// ask starts a provider and asks it for its schemas. A panic of the packages that speak with it
// is an error about it.
func ask(ctx context.Context, p process, tool addrs.Tool) (s *planjson.ProviderSchema, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	clean, err := p.prepare()
	if err != nil {
		return nil, err
	}
	defer clean()
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	defer p.kill()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("its answer cannot be handled: %v", r)
		}
		switch {
		case err == nil:
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			err = fmt.Errorf("no answer after %s%s", limit, p.said())
		case ctx.Err() != nil:
			err = ctx.Err()
		default:
			err = fmt.Errorf("%w%s", err, p.said())
		}
	}()
	set := plugin.PluginSet{"provider": connection{}}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: map[int]plugin.PluginSet{5: set, 6: set},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,
		StartTimeout:     limit,
		Stderr:           p.stderr,
		Logger:           hclog.NewNullLogger(),
		RunnerFunc:       p.run,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: p.tmp},
	})
	defer client.Kill()
	protocol, err := client.Client()
	if err != nil {
		return nil, err
	}
	raw, err := protocol.Dispense("provider")
	if err != nil {
		return nil, err
	}
	return schemasOf(ctx, raw.(*grpc.ClientConn), client.NegotiatedVersion(), tool)
}

// schemasOf calls the methods of a provider.
func schemasOf(ctx context.Context, conn *grpc.ClientConn, version int, tool addrs.Tool) (*planjson.ProviderSchema, error) {
	call := func(method string) ([]byte, error) {
		var answer message
		err := conn.Invoke(ctx, method, &message{}, &answer, grpc.ForceCodec(bytesCodec{}), grpc.MaxCallRecvMsgSize(maxMessage))
		return answer.text, err
	}
	text, err := call(schemaMethod[version])
	if err != nil {
		return nil, err
	}
	s, err := newReader(version, tool).readSchemas(text)
	if err != nil {
		return nil, err
	}
	// Identities came later, and the tools go on without them whatever is wrong.
	text, err = call(identityMethod[version])
	if err == nil {
		if ids, err := readIdentities(text); err == nil {
			addIdentities(s, ids)
		}
		return s, nil
	}
	if ctx.Err() != nil && status.Code(err) != codes.Unimplemented {
		return nil, err
	}
	return s, nil
}

// A message is one of protocol buffers, as it is on the wire.
type message struct{ text []byte }

// bytesCodec passes messages on as they are.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) ([]byte, error) { return v.(*message).text, nil }

func (bytesCodec) Unmarshal(data []byte, v any) error {
	v.(*message).text = append([]byte(nil), data...)
	return nil
}

var _ runner.Runner = (*running)(nil)
