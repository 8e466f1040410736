// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// The numbers of the members that begin a message, in the table of [Message].
const (
	messageLevel     = 0
	messageText      = 1
	messageModule    = 2
	messageTimestamp = 6
)

// wire lists the members of a message.
func (m *Message) wire(x *wire.Codec) {
	x.Led(m, &m.src, messageTable, messageMember, messageLead)
}

// messageLead reads the envelope of most messages, which the tools spell alike.
func messageLead(o any, x *wire.Codec) (seen uint64, last int) {
	if !x.Literal(`"@level":"info","@message":"`) {
		return 0, 0
	}
	m := o.(*Message)
	m.Level, m.Text = LevelInfo, x.Text()
	seen, last = 1<<messageLevel|1<<messageText, messageText
	switch {
	case x.Literal(`,"@module":"tofu.ui","@timestamp":"`):
		m.Module = "tofu.ui"
	case x.Literal(`,"@module":"terraform.ui","@timestamp":"`):
		m.Module = "terraform.ui"
	default:
		return seen, last
	}
	m.Timestamp = x.Text()
	return seen | 1<<messageModule | 1<<messageTimestamp, messageTimestamp
}
