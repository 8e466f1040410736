variable "in" {}
variable "gen" {}
resource "terraform_data" "shrinks" {
  count = var.gen == 1 ? 2 : 1
  input = var.in
}
resource "terraform_data" "grows" {
  count = var.gen
  input = terraform_data.shrinks[0].output
}
