// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package numlimit_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/numlimit"
)

func TestText(t *testing.T) {
	zeros := strings.Repeat("0", 5000)
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{"0", true}, {"-1.50", true}, {"12345678901234567890", true}, {"", true},
		{"1e308", true}, {"1e309", false}, {"9.99E+308", true}, {"10e308", false}, {"0.1e309", true},
		{"1e-308", true}, {"1e-309", false}, {"0.5e-308", false}, {"5000e-311", true},
		{"1" + zeros, false}, {zeros + "1", true}, {zeros, true}, {"0." + zeros, true}, {"0." + zeros + "1", false},
		{"0." + zeros + "1e5001", true}, {"1" + zeros + "e-5000", false},
		{"0." + zeros[:300] + "1", true}, {"0." + zeros[:308] + "1", false},
		{"1." + zeros[:998], true}, {"1." + zeros[:999], false},
		{"1e99999999999999999999999", false}, {"1e-99999999999999999999999", false}, {"0e99999999999999999999999", true},
	} {
		if got := numlimit.Text(tt.in); got != tt.want {
			t.Errorf("Text(%.20q, %d bytes) = %t", tt.in, len(tt.in), got)
		}
		if got := numlimit.Text([]byte(tt.in)); got != tt.want {
			t.Errorf("Text([]byte(%.20q)) = %t", tt.in, got)
		}
	}
}

func TestFloat(t *testing.T) {
	for in, want := range map[string]bool{
		"0": true, "1e308": true, "-1e308": true, "1e-307": true, "9.99e308": true, "1e310": false, "1e-309": false, "Inf": false, "1e100000": false,
	} {
		f, _, err := big.ParseFloat(in, 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		if got := numlimit.Float(f); got != want {
			t.Errorf("Float(%s) = %t", in, got)
		}
	}
	third := new(big.Float).SetPrec(100_000).Quo(big.NewFloat(1), big.NewFloat(3))
	if numlimit.Float(third) || numlimit.Float(nil) {
		t.Error("a number with 100,000 binary digits, or nil, is allowed")
	}
}

// Numbers in expressions may be larger.
func TestExpression(t *testing.T) {
	for in, want := range map[string]bool{"1e400": true, "-1e-400": true, "1e999": true, "1e-999": true, "1e1000": false, "1e-1001": false, "1e9999999": false} {
		if got := numlimit.Expression(in); got != want {
			t.Errorf("Expression(%s) = %t", in, got)
		}
		f, _, err := big.ParseFloat(in, 10, 512, big.ToNearestEven)
		if got := numlimit.Computed(f); err != nil || got != want {
			t.Errorf("Computed(%s) = %t, %v", in, got, err)
		}
	}
	if numlimit.Computed(nil) {
		t.Error("nil is allowed")
	}
}

// FuzzText checks that the two judges agree, and that an allowed number is cheap to write out.
func FuzzText(f *testing.F) {
	for _, s := range []string{"0", "1e308", "-0.00001e12", "123.456E-7", "1" + strings.Repeat("0", 400), "0.1e309"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 5000 || strings.Trim(s, "0123456789.eE+-") != "" || strings.Trim(s[:min(len(s), 2)], "0123456789-") != "" || !numlimit.Text(s) {
			return
		}
		n, _, err := big.ParseFloat(s, 10, 512, big.ToNearestEven)
		if err != nil {
			return
		}
		if !numlimit.Float(n) {
			t.Errorf("%s is allowed as text only", s)
		}
		if text := n.Text('f', -1); len(text) > 2*numlimit.MaxDigits {
			t.Errorf("%s takes %d bytes", s, len(text))
		}
	})
}
