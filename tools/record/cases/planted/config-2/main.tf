terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    local  = { source = "hashicorp/local" }
    lab    = { source = "example/lab" }
  }
}
variable "step" {
  type    = number
  default = 2
}
variable "pw" {
  type      = string
  sensitive = true
}
variable "undeclared_use" { type = string }
variable "m" {
  type      = map(string)
  sensitive = true
}
variable "plainmap" {
  type = map(string)
  default = { "PUBLIC-key" = "public value" }
}
# Every text with PLANT in it is a secret that a tool marks as sensitive in some
# place, or that nothing says is public.
provider "lab" {
  realm   = "PUBLIC-realm"
  api_key = "PLANT-provider-key-x9Q2"
  auth {
    user = "PUBLIC-user"
    pass = "PLANT-provider-pass-x9Q2"
  }
}
resource "local_sensitive_file" "f" {
  filename = "${path.module}/out/f.txt"
  content  = var.step == 1 ? "PLANT-file-old-x9Q2\nsecond PLANT-file-line-x9Q2 is long" : "PLANT-file-new-x9Q2\nanother PLANT-file-line2-x9Q2 is long"
}
resource "terraform_data" "io" {
  input = {
    list = ["public-a", var.pw, "public-b"]
    keys = { (nonsensitive(var.m["PLANT-key-x9Q2"])) = "v" }
    m    = var.m
    num  = sensitive(8412345)
    pub  = "public text"
  }
}
resource "terraform_data" "replaced" {
  input            = sensitive("PLANT-replaced-${var.step}-x9Q2")
  triggers_replace = var.step
}
resource "terraform_data" "opened" {
  input = var.step == 1 ? sensitive("PLANT-opened-x9Q2") : "PLANT-opened-x9Q2"
}
resource "terraform_data" "closed" {
  input = var.step == 1 ? "PLANT-closed-old-x9Q2" : sensitive("PLANT-closed-new-x9Q2")
}
resource "lab_thing" "s" {
  name    = "public-name-${var.step}"
  note    = "note ${var.pw}"
  secret  = var.step == 1 ? "PLANT-schema-old-x9Q2" : "PLANT-schema-new-x9Q2"
  secrets = { "PLANT-mapkey-x9Q2" = "PLANT-mapval-x9Q2" }
  tags    = { open = "public yes", closed = var.pw }
  anything = jsonencode({ a = var.pw, b = "say \"${var.pw}\"" })
  settings = { mode = "public-mode", password = "PLANT-nested-x9Q2" }
  rules = [
    { port = 22, secret = "PLANT-rule-x9Q2", proto = "tcp" },
    { port = 23, proto = "udp" },
  ]
}
resource "lab_thing" "b64" {
  name = "b64"
  note = base64encode("user:${var.undeclared_use}")
  secret = var.undeclared_use
}
resource "lab_thing" "none" {
  count  = 0
  name   = "public none"
  secret = "PLANT-count0-x9Q2"
}
resource "lab_blocks" "b" {
  title = "public title"
  disk {
    kind = "ssd"
    key  = "PLANT-disk-${var.step}-x9Q2"
  }
  listener {
    port = 1
    cert = "PLANT-cert-${var.step}-x9Q2"
  }
}
module "output" {
  source = "./mod"
  x      = "PLANT-modarg-x9Q2"
  y      = "public-y"
}
output "obj" {
  value     = { (var.pw) = 1, "PLANT-outkey-x9Q2" = { z = "PLANT-outval-x9Q2" } }
  sensitive = true
}
output "plain" { value = "public output" }
output "ref" {
  value     = module.output.o
  sensitive = true
}
output "shown" { value = nonsensitive(var.pw) }
check "c" {
  assert {
    condition     = terraform_data.io.input.pub == "no"
    error_message = "bad: ${nonsensitive(var.pw)}"
  }
}
