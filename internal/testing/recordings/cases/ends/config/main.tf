terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "quick" {
  name = "quick"
}
resource "lab_switch" "slow" {
  name    = "slow"
  wait_ms = 4000
  depends_on = [lab_switch.quick]
}
resource "lab_switch" "after" {
  name = "after"
  depends_on = [lab_switch.slow]
}
