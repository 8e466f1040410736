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
resource "lab_switch" "kept" {
  name = "kept"
  text = "v1"
  lifecycle {
    destroy = false
  }
}
resource "lab_switch" "tainted" {
  name = "tainted"
  lifecycle {
    action_trigger {
      events     = [after_create]
      actions    = [action.lab_notify.fails]
      on_failure = taint
    }
  }
}
resource "lab_switch" "halted" {
  name       = "halted"
  depends_on = [lab_switch.tainted]
  lifecycle {
    action_trigger {
      events     = [before_create, before_destroy, after_destroy]
      actions    = [action.lab_notify.fails]
      on_failure = halt
    }
  }
}
