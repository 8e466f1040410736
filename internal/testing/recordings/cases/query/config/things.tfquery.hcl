variable "limit" {
  type    = number
  default = 2
}
locals {
  names = ["a", "b"]
}
list "lab_thing" "all" {
  provider         = lab
  include_resource = true
  limit            = 2
  config {
    prefix = var.prefix
    token  = "t"
    filter {
      name   = "n"
      values = ["v", "w"]
    }
  }
}
list "lab_switch" "each" {
  for_each = toset(local.names)
  provider = lab
  config {
    prefix   = "${each.key}-"
    count_of = 1
  }
}
list "lab_switch" "none" {
  count    = 1
  provider = lab
  limit    = var.limit
}
