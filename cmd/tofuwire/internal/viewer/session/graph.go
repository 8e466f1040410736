// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// A Graph is the graph of a plan: the picture of the blocks that change, and how
// many instances there are to look at one by one.
type Graph struct {
	Picture   *planview.Picture `json:"picture"`
	Instances int               `json:"instances"`
}

// A Name is the number, address and class of an instance.
type Name struct {
	N       int    `json:"n"`
	Address string `json:"address"`
	Class   string `json:"class"`
}

// A Near is an instance and its surroundings.
type Near struct {
	planview.Place
	N     int    `json:"n"`
	Names []Name `json:"names"` // of the neighbours
}

// Graph returns the graph of a plan.
func (s *Session) Graph(id int) (*Graph, error) {
	d, err := s.planOf(id)
	if err != nil {
		return nil, err
	}
	return &Graph{planview.NewPicture(d.plan, plandiff.Plan(&planjson.Plan{ResourceChanges: changesAlone(d.plan.ResourceChanges)}, plandiff.Options{})), d.places.Len()}, nil
}

func (s *Session) planOf(id int) (*Document, error) {
	d, err := s.document(id)
	if err != nil {
		return nil, err
	}
	if d.plan == nil {
		return nil, errors.New("only a plan has a graph")
	}
	if d.places == nil {
		d.places = planview.NewPlaces(d.plan)
	}
	return d, nil
}

// maxFound is how many instances a search gives at most.
const maxFound = 30

// Find returns the first instances whose addresses have all words.
func (s *Session) Find(id int, text string) ([]Name, error) {
	d, err := s.planOf(id)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(text))
	found := []Name{}
next:
	for n := 0; n < d.places.Len() && len(found) < maxFound && len(words) > 0; n++ {
		address, class := d.places.Name(n)
		lower := strings.ToLower(address)
		for _, w := range words {
			if !strings.Contains(lower, w) {
				continue next
			}
		}
		found = append(found, Name{n, address, class})
	}
	return found, nil
}

// Around returns the surroundings of an instance.
func (s *Session) Around(id, n int) (*Near, error) {
	d, err := s.planOf(id)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= d.places.Len() {
		return nil, fmt.Errorf("there is no instance %d", n)
	}
	near := &Near{Place: d.places.At(n), N: n, Names: []Name{}}
	for _, list := range [][]planview.Neighbour{near.Needs, near.By} {
		for _, x := range list {
			address, class := d.places.Name(x.N)
			near.Names = append(near.Names, Name{x.N, address, class})
		}
	}
	return near, nil
}
