terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
action "lab_notify" "fails" {
  config {
    message = "m"
    fail    = "invoke"
  }
}
