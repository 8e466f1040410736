// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

const (
	maxInstances  = 50_000 // in the search
	maxNeighbours = 60     // drawn on each side of an instance
)

// A neighbour is an instance at the other end of a reference: its number, the
// argument that refers, and whether that is certain.
type neighbour struct {
	N       int    `json:"n"`
	At      string `json:"at,omitempty"`
	Certain bool   `json:"certain"`
}

// A place is an instance with its neighbours. The page draws one place at a time.
type place struct {
	Address string      `json:"address"`
	Class   string      `json:"class,omitempty"`
	Needs   []neighbour `json:"needs,omitempty"`
	By      []neighbour `json:"by,omitempty"`
	More    [2]int      `json:"more"` // of Needs and By
}

// neighbours writes the instances of a plan as the value of a constant of the
// script.
func neighbours(w io.Writer, p *planjson.Plan) (n int, err error) {
	x := plangraph.NewInstances(p, plangraph.InstanceOptions{})
	number := make(map[*plangraph.Instance]int)
	for i := range x.All() {
		number[i] = len(number)
	}
	if len(number) > maxInstances {
		return 0, nil
	}
	around := func(links iter.Seq[plangraph.Link], other func(plangraph.Link) *plangraph.Instance) (list []neighbour, more int) {
		seen := make(map[*plangraph.Instance]int)
		for l := range links {
			i := other(l)
			if at, ok := seen[i]; ok {
				list[at].Certain = list[at].Certain || l.Certain
				continue
			}
			if len(list) == maxNeighbours {
				more++
				continue
			}
			seen[i] = len(list)
			list = append(list, neighbour{number[i], l.At, l.Certain})
		}
		return list, more
	}
	places := make([]place, 0, len(number))
	for i := range x.All() {
		one := place{Address: oneLine(i.Address), Class: i.Class()}
		one.Needs, one.More[0] = around(x.Needs(i, ""), func(l plangraph.Link) *plangraph.Instance { return l.To })
		one.By, one.More[1] = around(x.NeededBy(i, ""), func(l plangraph.Link) *plangraph.Instance { return l.From })
		places = append(places, one)
	}
	text, err := json.Marshal(places) // which escapes what ends a script
	if err != nil {
		return 0, err
	}
	_, err = w.Write(text)
	return len(places), err
}
