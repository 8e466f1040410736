// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package sarif tests the logs that lint and validate write as SARIF 2.1.0, with the official
// schema, which a library brings along that the programs themselves do not need.
package sarif
