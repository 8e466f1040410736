
variable "größe" { default = "µ" }
locals {
  ключ = "знач ${var.größe}"
}

resource "terraform_data" "日本" { input = { "キー" = local.ключ, "e\u0301" = "\u00e9", "zwj👨‍👩‍👧" = "‮rtl" } }
output "é" { value = terraform_data.日本.input }
resource "terraform_data" "each" {
  for_each = toset(["a/b", "q\"x", "日本", "$${x}", "a.b", "%%{y}", "n\nl", "t\tb"])
  input    = each.key
}
output "ks" { value = terraform_data.each["q\"x"].input }
output "ks2" { value = terraform_data.each["$${x}"].input }
output "ks3" { value = terraform_data.each["n\nl"].input }
moved {
  from = terraform_data.each["$${old}"]
  to   = terraform_data.each["$${x}"]
}
moved {
  from = terraform_data.each["old \"q\""]
  to   = terraform_data.each["q\"x"]
}
