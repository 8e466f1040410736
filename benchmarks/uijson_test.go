// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	goccy "github.com/goccy/go-json"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// uiStream returns a stream of n lines: the messages that real tools wrote in
// the recordings of package uijson, from both tools and all commands, over and
// over. Lines of tests that carry whole documents are left out, as they would
// outweigh all others, and so are the further releases, whose messages about
// actions the peers' structs cannot hold.
func uiStream(b testing.TB, n int) []byte {
	b.Helper()
	var lines [][]byte
	err := filepath.WalkDir("../uijson/testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "releases" {
			return cmp.Or(err, filepath.SkipDir)
		}
		if !strings.HasSuffix(path, ".jsonl") {
			return nil
		}
		text, err := os.ReadFile(path)
		for line := range bytes.Lines(text) {
			if bytes.HasPrefix(line, []byte(`{"@level"`)) && len(line) < 10000 {
				lines = append(lines, line)
			}
		}
		return err
	})
	if err != nil || len(lines) == 0 {
		b.Fatal("no recordings: ", err)
	}
	var stream []byte
	for i := range n {
		stream = append(stream, lines[i%len(lines)]...)
	}
	return stream
}

// eachLine calls f with every line, without its line end.
func eachLine(stream []byte, f func(line []byte) error) error {
	for len(stream) > 0 {
		i := bytes.IndexByte(stream, '\n')
		if err := f(stream[:i:i]); err != nil {
			return err
		}
		stream = stream[i+1:]
	}
	return nil
}

func BenchmarkDecodeUI(b *testing.B) {
	stream := uiStream(b, 100000)
	compare(b, "100k", int64(len(stream)),
		impl{"skip", func() error { return eachLine(stream, skip) }},
		impl{"tofuwire", func() error {
			for _, err := range uijson.NewReader(bytes.NewReader(stream)).Borrowed() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"tofuwire-owned", func() error {
			for _, err := range uijson.NewReader(bytes.NewReader(stream)).Events() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"tofuwire-decoder", func() error {
			var d uijson.Decoder
			return eachLine(stream, func(line []byte) error {
				_, err := d.Decode(line)
				return err
			})
		}},
		impl{"tofuwire-line", func() error {
			return eachLine(stream, func(line []byte) error {
				_, err := uijson.Decode(line)
				return err
			})
		}},
		impl{"tofuwire-tracker", func() error {
			var t uitrack.Tracker
			for ev, err := range uijson.NewReader(bytes.NewReader(stream)).Borrowed() {
				if err != nil {
					return err
				}
				t.Add(ev)
			}
			return nil
		}},
		impl{"goccy", func() error {
			return eachLine(stream, func(line []byte) error { return goccy.Unmarshal(line, new(uiMessage)) })
		}},
		impl{"encoding-json", func() error {
			return eachLine(stream, func(line []byte) error { return stdjson.Unmarshal(line, new(uiMessage)) })
		}},
		impl{"terraform-json", func() error {
			return eachLine(stream, func(line []byte) error {
				_, err := tfjson.UnmarshalLogMessage(line)
				return err
			})
		}},
	)
}

// An uiEnvelope is the envelope for the peers.
type uiEnvelope struct {
	Level     string `json:"@level"`
	Text      string `json:"@message"`
	Module    string `json:"@module"`
	Timestamp string `json:"@timestamp"`
	Type      string `json:"type"`
}

func BenchmarkEnvelopeUI(b *testing.B) {
	stream := uiStream(b, 100000)
	compare(b, "100k", int64(len(stream)),
		impl{"skip", func() error { return eachLine(stream, skip) }},
		impl{"tofuwire", func() error {
			for _, err := range uijson.NewReader(bytes.NewReader(stream)).Envelopes() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"tofuwire-tee", func() error {
			for _, err := range uijson.NewReader(bytes.NewReader(stream), uijson.Tee(io.Discard)).Envelopes() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"goccy", func() error {
			return eachLine(stream, func(line []byte) error { return goccy.Unmarshal(line, new(uiEnvelope)) })
		}},
		impl{"encoding-json", func() error {
			return eachLine(stream, func(line []byte) error { return stdjson.Unmarshal(line, new(uiEnvelope)) })
		}},
	)
}

func BenchmarkEncodeUI(b *testing.B) {
	stream := uiStream(b, 100000)
	var ours []*uijson.Message
	var theirs []*uiMessage
	if err := eachLine(stream, func(line []byte) error {
		m, err := uijson.Decode(line)
		if err != nil {
			return err
		}
		p := new(uiMessage)
		ours, theirs = append(ours, m), append(theirs, p)
		return stdjson.Unmarshal(line, p)
	}); err != nil {
		b.Fatal(err)
	}
	compare(b, "100k", int64(len(stream)),
		impl{"tofuwire", func() error {
			for _, m := range ours {
				if _, err := uijson.Encode(m); err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"goccy", func() error {
			for _, m := range theirs {
				if _, err := goccy.Marshal(m); err != nil {
					return err
				}
			}
			return nil
		}},
		impl{"encoding-json", func() error {
			for _, m := range theirs {
				if _, err := stdjson.Marshal(m); err != nil {
					return err
				}
			}
			return nil
		}},
	)
}

// TrackUI follows streams of growing length about the same resources. The
// metric heap-B is what is in memory at their ends: it must not grow with the
// number of lines.
func BenchmarkTrackUI(b *testing.B) {
	unit := uiStream(b, 100000)
	for _, times := range []int{1, 10} {
		b.Run(fmt.Sprintf("size=%dk/impl=tofuwire", 100*times), func(b *testing.B) {
			b.SetBytes(int64(len(unit) * times))
			b.ReportAllocs()
			for b.Loop() {
				before := bounds.Heap()
				var t uitrack.Tracker
				var parts []io.Reader
				for range times {
					parts = append(parts, bytes.NewReader(unit))
				}
				for ev, err := range uijson.NewReader(io.MultiReader(parts...)).Borrowed() {
					if err != nil {
						b.Fatal(err)
					}
					t.Add(ev)
				}
				b.ReportMetric(float64(max(bounds.Heap()-before, 0)), "heap-B")
				runtime.KeepAlive(&t)
			}
		})
	}
}
