// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// PublicOnly returns a new transport for [Client.HTTP] that connects only to
// public addresses. No server can then send the client to a host inside the
// caller's network: not by a URL, not by a redirect, and not by a name that
// resolves to an internal address. The transport checks the address after the
// name is resolved, when it opens the connection. It refuses all other addresses
// with ErrForbiddenAddress: those of IANA's registries of special-purpose
// addresses (loopback, private, link-local, shared, documentation and others),
// multicast, the metadata services of clouds, and IPv6 addresses that contain
// such an IPv4 address.
//
// The transport has the settings of http.DefaultTransport, if that is an
// *http.Transport, except those that control how to connect. It does not use
// proxies of the environment: behind a proxy, only the proxy knows the address.
// The field Proxy of the result, and the fields whose names begin with Dial,
// must not be changed.
func PublicOnly() *http.Transport {
	t, ok := http.DefaultTransport.(*http.Transport)
	if ok {
		t = t.Clone()
	} else {
		t = &http.Transport{IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second}
	}
	d := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Control: controlPublic}
	t.Proxy, t.DialTLSContext = nil, nil
	//lint:ignore SA1019 a transport that the program has set may have them, and they would go past the check
	t.Dial, t.DialTLS = nil, nil
	t.DialContext = d.DialContext
	t.ForceAttemptHTTP2 = true
	return t
}

// controlPublic is called by the dialer with the address after resolution.
func controlPublic(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q", ErrForbiddenAddress, address)
	}
	if !isPublic(ap.Addr()) {
		return fmt.Errorf("%w: %s", ErrForbiddenAddress, ap.Addr())
	}
	return nil
}

// special are the networks that are not public. The first two groups are IANA's
// IPv4 and IPv6 special-purpose address registries as of 2025-10-09
// (https://www.iana.org/assignments/iana-ipv4-special-registry/ and
// https://www.iana.org/assignments/iana-ipv6-special-registry/). They include the
// entries that are globally reachable, because no registry is there either.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),          // this network
	netip.MustParsePrefix("10.0.0.0/8"),         // private use
	netip.MustParsePrefix("100.64.0.0/10"),      // shared address space
	netip.MustParsePrefix("127.0.0.0/8"),        // loopback
	netip.MustParsePrefix("169.254.0.0/16"),     // link-local
	netip.MustParsePrefix("172.16.0.0/12"),      // private use
	netip.MustParsePrefix("192.0.0.0/24"),       // IETF protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),       // documentation
	netip.MustParsePrefix("192.31.196.0/24"),    // AS112
	netip.MustParsePrefix("192.52.193.0/24"),    // AMT
	netip.MustParsePrefix("192.88.99.0/24"),     // 6to4 relays, deprecated
	netip.MustParsePrefix("192.168.0.0/16"),     // private use
	netip.MustParsePrefix("192.175.48.0/24"),    // AS112
	netip.MustParsePrefix("198.18.0.0/15"),      // benchmarking
	netip.MustParsePrefix("198.51.100.0/24"),    // documentation
	netip.MustParsePrefix("203.0.113.0/24"),     // documentation
	netip.MustParsePrefix("240.0.0.0/4"),        // reserved
	netip.MustParsePrefix("255.255.255.255/32"), // limited broadcast

	netip.MustParsePrefix("::1/128"),           // loopback
	netip.MustParsePrefix("::/128"),            // unspecified
	netip.MustParsePrefix("::ffff:0:0/96"),     // IPv4-mapped
	netip.MustParsePrefix("64:ff9b:1::/48"),    // IPv4-IPv6 translation, local
	netip.MustParsePrefix("100::/64"),          // discard only
	netip.MustParsePrefix("100:0:0:1::/64"),    // dummy prefix
	netip.MustParsePrefix("2001::/23"),         // IETF protocol assignments, Teredo, ORCHID
	netip.MustParsePrefix("2001:db8::/32"),     // documentation
	netip.MustParsePrefix("2002::/16"),         // 6to4
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112
	netip.MustParsePrefix("3fff::/20"),         // documentation
	netip.MustParsePrefix("5f00::/16"),         // segment routing
	netip.MustParsePrefix("fc00::/7"),          // unique local
	netip.MustParsePrefix("fe80::/10"),         // link-local

	netip.MustParsePrefix("224.0.0.0/4"), // multicast
	netip.MustParsePrefix("ff00::/8"),    // multicast
	netip.MustParsePrefix("fec0::/10"),   // site-local, deprecated
	netip.MustParsePrefix("::/96"),       // IPv4-compatible, deprecated

	netip.MustParsePrefix("168.63.129.16/32"), // the platform service of Azure, which looks public
}

var (
	// unicast is the part of IPv6 that is allocated to the public internet.
	unicast = netip.MustParsePrefix("2000::/3")

	// nat64 is the prefix of IPv6 addresses that contain an IPv4 address.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// isPublic reports whether a is an address of the public internet.
func isPublic(a netip.Addr) bool {
	if a.Zone() != "" || !a.IsValid() {
		return false
	}
	a = a.Unmap()
	if a.Is6() {
		b := a.As16()
		// An interface identifier of ISATAP (RFC 5214) ends in an IPv4 address.
		isatap := b[8]&^3 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
		if (isatap || nat64.Contains(a)) && !isPublic(netip.AddrFrom4([4]byte(b[12:]))) {
			return false
		}
		if nat64.Contains(a) {
			return true
		}
		if !unicast.Contains(a) {
			return false
		}
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
