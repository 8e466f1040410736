terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
variable "loud" {
  type    = bool
  default = true
}
action "lab_notify" "hello" {
  config {
    message = "hello ${lab_switch.src.name}"
    steps   = 2
    token   = "t0ken"
    extra   = { a = [1, null] }
    to {
      who = "ada"
      cc  = ["x", "y"]
    }
  }
}
action "lab_notify" "each" {
  for_each = toset(["a", "b \"q\""])
  config {
    message = each.key
    steps   = 1
  }
}
action "lab_quiet" "counted" {
  count = 2
}
action "lab_notify" "unknown" {
  config {
    message = lab_switch.src.serial
    wait_ms = 500
    pin_wo  = "1234"
  }
}
resource "lab_switch" "src" {
  name = "src"
}
resource "lab_switch" "s" {
  name = "s"
  text = "v1"
  lifecycle {
    action_trigger {
      events    = [before_create, after_create]
      condition = var.loud
      actions   = [action.lab_notify.hello, action.lab_notify.each["a"], action.lab_quiet.counted[1]]
    }
    action_trigger {
      events  = [after_update]
      actions = [action.lab_notify.unknown]
    }
  }
}
resource "lab_switch" "u" {
  name = "u"
  text = lab_switch.src.serial
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.lab_notify.unknown]
    }
  }
}
module "kid" {
  source   = "./kid"
  for_each = toset(["m n"])
}
