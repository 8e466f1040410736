locals {
  a = <<-EOT
    ${var.list.0} and ${1.0} ${lookup(var.m, "k")} ${var.list.*.a}
  EOT
  b = <<EOT
a ${"${var.x}"} b ${var.x == []}
EOT
  c = <<EOT
${terraform.workspace}${{ a = 1, a = 2 }.a}
EOT
}
