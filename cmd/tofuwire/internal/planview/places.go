// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planview

import (
	"iter"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

const maxNeighbours = 60 // drawn on each side of an instance

// A Neighbour is an instance at the other end of a reference: its number, the
// argument that refers, and whether that is certain.
type Neighbour struct {
	N       int    `json:"n"`
	At      string `json:"at,omitempty"`
	Certain bool   `json:"certain"`
}

// A Place is an instance with its neighbours. A page draws one place at a time.
type Place struct {
	Address string      `json:"address"`
	Class   string      `json:"class,omitempty"`
	Needs   []Neighbour `json:"needs,omitempty"`
	By      []Neighbour `json:"by,omitempty"`
	More    [2]int      `json:"more"` // of Needs and By
}

// Places are the instances of a plan with their surroundings.
type Places struct {
	instances *plangraph.Instances
	list      []*plangraph.Instance
	number    map[*plangraph.Instance]int
}

// NewPlaces returns the places of p.
func NewPlaces(p *planjson.Plan) *Places {
	x := &Places{instances: plangraph.NewInstances(p, plangraph.InstancesOptions{}), number: make(map[*plangraph.Instance]int)}
	for i := range x.instances.All() {
		x.number[i] = len(x.list)
		x.list = append(x.list, i)
	}
	return x
}

// Len returns the number of instances.
func (x *Places) Len() int { return len(x.list) }

// Name returns the address and the class of an instance.
func (x *Places) Name(n int) (address, class string) {
	return OneLine(x.list[n].Address), x.list[n].Class()
}

// At returns an instance with its neighbours.
func (x *Places) At(n int) Place {
	i := x.list[n]
	var p Place
	p.Address, p.Class = x.Name(n)
	p.Needs, p.More[0] = x.around(x.instances.Needs(i, ""), func(l plangraph.Link) *plangraph.Instance { return l.To })
	p.By, p.More[1] = x.around(x.instances.NeededBy(i, ""), func(l plangraph.Link) *plangraph.Instance { return l.From })
	return p
}

func (x *Places) around(links iter.Seq[plangraph.Link], other func(plangraph.Link) *plangraph.Instance) (list []Neighbour, more int) {
	seen := make(map[*plangraph.Instance]int)
	for l := range links {
		i := other(l)
		if at, ok := seen[i]; ok {
			if at < len(list) {
				list[at].Certain = list[at].Certain || l.Certain
			}
			continue
		}
		seen[i] = len(list)
		if len(list) == maxNeighbours {
			seen[i] = maxNeighbours
			more++
			continue
		}
		list = append(list, Neighbour{x.number[i], l.At, l.Certain})
	}
	return list, more
}
