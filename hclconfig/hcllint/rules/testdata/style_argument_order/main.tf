resource "a_b" "c" {
  x     = 1
  count = 2 # want "count should come before x"
}
resource "a_b" "d" {
  count = 2
  x     = 1
  y {}
  lifecycle {}
  depends_on = [a_b.c]
}
resource "a_b" "e" {
  depends_on = [a_b.c]
  x          = 1 # want "x should come before depends_on"
  lifecycle {}
}
resource "a_b" "f" {
  lifecycle {}
  y {} # want "y should come before lifecycle"
}
module "m" {
  source   = "./m"
  for_each = {}
  x        = 1
}
variable "v" {
  description = "v"
  type        = string # want "type should come before description"
}
output "o" {
  value       = 1
  description = "o" # want "description should come before value"
}
locals {
  z = 1
}
