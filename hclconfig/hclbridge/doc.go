// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclbridge gives what package hclconfig has parsed in the types of HCL, so
// that programs that work on hcl.Body, hcl.Expression and hcl.Traversal can use its
// files, and finds the way back.
//
// A body is not parsed again. An expression is, when it is asked for, because HCL's
// own types know lines and columns of every part. In JSON files expressions behave as
// those of HCL's package json: what a string means is decided by how it is read.
//
// All functions are safe for concurrent use.
package hclbridge
