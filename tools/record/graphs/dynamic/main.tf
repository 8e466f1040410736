variable "gen" {
  type    = number
  default = 1
}
variable "notes" { default = ["n1", "n2"] }
resource "terraform_data" "a" { input = var.gen }
resource "null_resource" "n" {
  count    = length(var.notes)
  triggers = { note = var.notes[count.index], a = terraform_data.a.output }
}
resource "terraform_data" "b" { input = null_resource.n[*].triggers.note }
