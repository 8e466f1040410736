// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantest

import "reflect"

// CopyFields copies the exported fields of what src points to, at all depths, to what dst
// points to, which is of the same type.
func CopyFields(dst, src any) { copyFields(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()) }

func copyFields(dst, src reflect.Value) {
	switch src.Kind() {
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			copyFields(dst.Elem(), src.Elem())
		}
	case reflect.Struct:
		for i := range src.NumField() {
			if src.Type().Field(i).IsExported() {
				copyFields(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Slice:
		if !src.IsNil() {
			dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
			for i := range src.Len() {
				copyFields(dst.Index(i), src.Index(i))
			}
		}
	case reflect.Map:
		if !src.IsNil() {
			dst.Set(reflect.MakeMap(src.Type()))
			for _, k := range src.MapKeys() {
				v := reflect.New(src.Type().Elem()).Elem()
				copyFields(v, src.MapIndex(k))
				dst.SetMapIndex(k, v)
			}
		}
	default:
		dst.Set(src)
	}
}
