variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "shrinks" {
  count = var.gen == 1 ? 2 : 1
  input = "a"
}
resource "terraform_data" "between" { input = [for s in terraform_data.shrinks : s.output] }
resource "terraform_data" "first" {
  triggers_replace = [terraform_data.between.output, var.gen]
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "grows" {
  count = var.gen
  input = terraform_data.shrinks[*].output
}
