terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
action "lab_notify" "x" {
  config {
    message = "from the kid"
  }
}
resource "lab_switch" "k" {
  name = "k"
  lifecycle {
    action_trigger {
      events  = [before_create, after_create, before_update, after_update]
      actions = [action.lab_notify.x]
    }
  }
}
