terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "first" {
  name = "first"
}
action "lab_notify" "a" {
  config {
    message = "m"
    fail    = "defer"
  }
}
resource "lab_switch" "deferred" {
  name = "d"
  fail = "defer"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.lab_notify.a]
    }
  }
}
resource "lab_switch" "act" {
  name = "act"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.lab_notify.a]
    }
  }
}
