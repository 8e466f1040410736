// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A protoField is a field of a message of protocol buffers.
type protoField struct {
	number protowire.Number
	text   []byte // of a field with a length, nil for others
	value  uint64 // of a varint
	isText bool
	isInt  bool
	at     int // the offset of the value in the entry
}

// readMessage calls f for each field of a message that begins at the offset base of the entry. Fields
// of the wire types that no plan has are skipped, as is everything that f does not know.
func readMessage(src []byte, base int, f func(protoField) error) error {
	for i := 0; i < len(src); {
		number, typ, n := protowire.ConsumeTag(src[i:])
		if n < 0 || number > protowire.MaxValidNumber {
			return atOffset(base+i, invalid("a tag of protocol buffers that is none"))
		}
		start := i
		i += n
		field := protoField{number: number, at: base + i}
		switch typ {
		case protowire.BytesType:
			text, n := protowire.ConsumeBytes(src[i:])
			if n < 0 {
				return atOffset(base+i, invalid("a field is longer than what is left"))
			}
			field.text, field.isText, field.at = text, true, base+i+n-len(text)
			i += n
		case protowire.VarintType:
			value, n := protowire.ConsumeVarint(src[i:])
			if n < 0 {
				return atOffset(base+i, invalid("a number of protocol buffers that is none"))
			}
			field.value, field.isInt = value, true
			i += n
		default:
			n := protowire.ConsumeFieldValue(number, typ, src[i:])
			if n < 0 {
				return atOffset(base+start, invalid("a field of protocol buffers that is none"))
			}
			i += n
			continue
		}
		if err := f(field); err != nil {
			return err
		}
	}
	return nil
}

// into stores the field in dst if it has the type that dst needs; a field of another type counts
// as unknown.
func (f protoField) into(name string, dst any) error {
	switch dst := dst.(type) {
	case *string:
		if !f.isText {
			return nil
		}
		if !utf8.Valid(f.text) {
			return inField(name, atOffset(f.at, invalid("the text is not UTF-8")))
		}
		*dst = string(f.text)
	case *[]string:
		if !f.isText {
			return nil
		}
		var s string
		if err := f.into("", &s); err != nil {
			return inElement(name, len(*dst), err)
		}
		*dst = append(*dst, s)
	case *uint64:
		if f.isInt {
			*dst = f.value
		}
	case *bool:
		if f.isInt {
			*dst = f.value != 0
		}
	case *[]byte:
		if f.isText {
			*dst = f.text
		}
	case *dynamic:
		return f.message(name, func(f protoField) error {
			if f.number == 1 && f.isText {
				dst.text, dst.at, dst.isSet = f.text, f.at, true
			}
			return nil
		})
	default:
		return fmt.Errorf("no fields of type %T", dst)
	}
	return nil
}

// message reads the field as a message.
func (f protoField) message(name string, each func(protoField) error) error {
	if !f.isText {
		return nil
	}
	if err := readMessage(f.text, f.at, each); err != nil {
		if name == "" {
			return err
		}
		return inField(name, err)
	}
	return nil
}

// A dynamic is a value in the encoding of MessagePack.
type dynamic struct {
	text  []byte
	at    int // the offset in the entry
	isSet bool
}
