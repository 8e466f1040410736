terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "first" {
  name = "first"
}
resource "lab_switch" "deferred" {
  name = "d"
  fail = "defer"
}
resource "lab_switch" "needs" {
  name = lab_switch.deferred.serial
}
resource "lab_thing" "unknown_each" {
  for_each = toset([lab_switch.first.serial])
  name     = each.key
  secret   = "s3cr3t"
}
module "m" {
  source   = "./m"
  for_each = toset([lab_switch.first.serial])
  x        = each.key
}
data "lab_lookup" "d" {
  query = join(",", [for t in lab_thing.unknown_each : t.id])
}
output "o" {
  value = lab_switch.deferred.id
}
