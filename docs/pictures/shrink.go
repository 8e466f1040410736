// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"os"
	"slices"
)

// shades is the number of colors that a picture keeps.
const shades = 48

// shrink writes a picture with its most frequent colors only, which are enough for text.
func shrink(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	picture, err := png.Decode(in)
	if err != nil {
		return err
	}
	small := image.NewPaletted(picture.Bounds(), frequent(picture))
	nearest := map[color.RGBA]uint8{}
	for y := small.Rect.Min.Y; y < small.Rect.Max.Y; y++ {
		for x := small.Rect.Min.X; x < small.Rect.Max.X; x++ {
			c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			n, ok := nearest[c]
			if !ok {
				n = uint8(small.Palette.Index(c))
				nearest[c] = n
			}
			small.SetColorIndex(x, y, n)
		}
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, small); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// frequent returns the most frequent colors.
func frequent(picture image.Image) color.Palette {
	count := map[color.RGBA]int{}
	area := picture.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			count[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	var all []color.RGBA
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(uint32(a.R)<<16|uint32(a.G)<<8|uint32(a.B), uint32(b.R)<<16|uint32(b.G)<<8|uint32(b.B)))
	})
	var palette color.Palette
	for _, c := range all[:min(shades, len(all))] {
		palette = append(palette, c)
	}
	return palette
}
