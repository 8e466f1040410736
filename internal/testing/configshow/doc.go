// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package configshow is for tests: it writes what package hclconfig reads of a module
// in the form of "configuration" in the JSON form of plans, and reads what the tools
// themselves have recorded, so that the two can be compared.
package configshow
