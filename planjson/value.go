// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

// A Value is one JSON value as it stands in the document. A nil Value is a
// member that is absent; the JSON null is not nil.
type Value []byte
