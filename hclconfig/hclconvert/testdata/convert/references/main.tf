
# every expression directly in an argument, to compare configuration
variable "n" { default = 3 }
variable "l" { default = ["a"] }
resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" {
  for_each = { "a b" = 1, c = 2 }
  input = each.value
}
resource "terraform_data" "r1" { input = terraform_data.a.output }
resource "terraform_data" "r2" { input = "x ${terraform_data.a.id} ${var.n} ${terraform_data.a.id}" }
resource "terraform_data" "r3" { input = { a = terraform_data.a, b = [terraform_data.b["a b"].id, terraform_data.b["c"].output] } }
resource "terraform_data" "r4" { input = [for k, v in terraform_data.b : "${k}=${v.id}" if var.n > 1] }
resource "terraform_data" "r5" { input = values(terraform_data.b)[*].id }
resource "terraform_data" "r6" { input = var.n == 3 ? terraform_data.a.id : var.l[0] }
resource "terraform_data" "r7" { input = terraform_data.b[var.l[0] == "a" ? "c" : "c"].id }
resource "terraform_data" "r8" { input = { (var.l[0]) = terraform_data.a.id, "${var.n}x" = 1, k = var.n } }
resource "terraform_data" "r9" {
  input = <<-EOT
  %{ for x in var.l ~}
  ${x} ${terraform_data.a.id}
  %{ endfor ~}
  EOT
}
resource "terraform_data" "c1" { input = "const" }
resource "terraform_data" "c2" { input = { a = [1, true, null, "$${x}"], b = { c = 1.50 } } }
resource "terraform_data" "c3" {
  input = <<EOT
multi
line $${x}
EOT
}
resource "terraform_data" "c4" { input = 1 + 1 }
resource "terraform_data" "c5" { input = upper("x") }
resource "terraform_data" "c6" { input = null }
resource "terraform_data" "c7" { input = [] }
resource "terraform_data" "c8" { input = {} }
resource "terraform_data" "c9" { input = -1 }
resource "terraform_data" "c10" { input = ["a", "b ${1}", "%{ if true }x%{ endif }"] }
resource "terraform_data" "c11" { input = "line\nbreak\n" }
resource "terraform_data" "c12" { input = { "//" = "kept", "a.b" = { "//" = 1 } } }
resource "terraform_data" "cnt" {
  count = 1 + 1
  input = count.index
}
resource "terraform_data" "cnt2" {
  count = length(var.l)
  input = "${count.index}"
}
resource "terraform_data" "fe" {
  for_each = toset(["x", "y"])
  input = { k = each.key, v = each.value }
}
resource "terraform_data" "fe2" {
  for_each = { for x in var.l : x => upper(x) }
  input = each.value
  triggers_replace = [terraform_data.fe["x"].id, terraform_data.cnt[0].output, terraform_data.cnt[*].id]
}
output "o1" { value = terraform_data.r3.input.a }
output "o2" {
  value       = terraform_data.cnt.*.id
  description = "a $${b} c"
  sensitive   = true
  depends_on  = [terraform_data.a, terraform_data.b["c"]]
}
output "o3" { value = terraform_data.b }
