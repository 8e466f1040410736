locals {
  a = "${var.x}" # want "Interpolation-only expressions are deprecated in Terraform v0.12.14"
  b = "${var.x}-"
  c = "${~ var.x ~}" # want "Interpolation-only"
  d = ["${var.x}", "a"] # want "Interpolation-only"
  e = { "${var.x}" = "${var.x}" } # want "Interpolation-only" "Interpolation-only"
  f = ("${var.x}") # want "Interpolation-only"
  g = upper("${var.x}") # want "Interpolation-only"
  h = "${"a"}" # want "Interpolation-only"
  i = "${"${var.x}"}" # want "Interpolation-only" "Interpolation-only"
  j = <<EOT
${var.x}
EOT
  k = "%{if true}a%{endif}"
  l = "${upper("${var.x}")}-" # want "Interpolation-only"
  m = "$${var.x}"
  n = "" == "${var.x}" # want "Interpolation-only"
  o = { ("${var.x}") = 1 } # want "Interpolation-only"
  p = { a = "${var.x}" } # want "Interpolation-only"
  q = "${[for s in var.x : "${s}"]}" # want "Interpolation-only" "Interpolation-only"
  r = "${var.x ? 1 : 2}" + "${-1}" # want "Interpolation-only" "Interpolation-only"
  t = !"${var.x == 1}" # want "Interpolation-only"
  u = "${var.x == 1}" ? 1 : 2 # want "Interpolation-only"
  s = "${var.x ? 1 : 2}" # want "Interpolation-only"
}
terraform {
  backend "s3" {
    bucket = "${var.x}" # want "Interpolation-only"
  }
}
variable "x" {}
resource "a_b" "c" {
  count = "${var.x}" # want "Interpolation-only"
  provisioner "local-exec" {
    command = "${ # want "Interpolation-only"
      var.x
    }"
  }
}
