terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
variable "tok" {
  type      = string
  ephemeral = true
  default   = "e"
}
ephemeral "lab_token" "t" {
  audience = "x"
  renew_ms = 300
}
ephemeral "lab_token" "late" {
  for_each = toset(["a", "b"])
  audience = lab_switch.s.id
}
resource "lab_switch" "s" {
  name    = "s"
  wait_ms = 1200
}
resource "lab_secretbox" "box" {
  name              = "box"
  secret_wo         = ephemeral.lab_token.t.token
  secret_wo_version = 1
  plain_wo          = { a = var.tok }
  inner             = { user = "u", pin_wo = 7 }
  cred {
    label    = "c"
    token_wo = ephemeral.lab_token.late["a"].token
  }
}
module "kid" {
  source = "./kid"
  t      = var.tok
}
output "e" {
  value = "plain"
}
