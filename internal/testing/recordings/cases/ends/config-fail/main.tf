terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "a" {
  name = "a"
  fail = "create"
}
resource "lab_switch" "b" {
  name = "b"
  fail = "create-partial"
}
resource "lab_thing" "c" {
  name = "c"
  fail = "inconsistent"
}
resource "lab_switch" "d" {
  name = "d"
}
resource "lab_switch" "e" {
  name = "e"
  fail = "warn"
}
