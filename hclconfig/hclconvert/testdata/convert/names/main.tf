
variable "for" { default = 1 }
variable "if" { default = "${"x"}" }
variable "null-ish" { default = null }
locals {
  for    = var.for
  in     = 2
  endif  = 3
  a-b    = 4
  true_  = 5
  _u     = 6
}
resource "terraform_data" "dynamic" { input = { dynamic = 1, lifecycle = 2, for_each = 3 } }
resource "terraform_data" "for" { input = local.for }
resource "terraform_data" "null" { input = terraform_data.dynamic.input.dynamic }
resource "terraform_data" "a-b" { input = local.a-b - 1 }
output "if" { value = var.if }
output "sub" { value = local.a-b }
output "each" { value = [local.in, local.endif, local.true_, local._u, terraform_data.a-b.input, var.null-ish] }
