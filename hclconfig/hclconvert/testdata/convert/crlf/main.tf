variable "n" {
  default = 3
}
locals {
  # c
  a = <<EOT
line ${var.n}
  two
EOT
  b = <<-EOT
    four
      six ${var.n}
  EOT
  c = [
    1,
    2
  ]
  d = var.n > 2 ? "x" : "y"
  e = <<-EOT
    %{~ if true ~}
    x
    %{~ endif ~}
    y
  EOT
}
output "o" {
  value = [local.a, local.b, local.c, local.d, local.e]
}
