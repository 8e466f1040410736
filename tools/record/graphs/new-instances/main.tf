variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "shrinks" {
  count = var.gen == 1 ? 2 : 1
  input = "a"
}
resource "terraform_data" "between" { input = terraform_data.shrinks[0].output }
resource "terraform_data" "grows" {
  count = var.gen
  input = terraform_data.between.output
}
module "m" {
  source   = "./m"
  for_each = var.gen == 1 ? toset(["x"]) : toset(["x", "y"])
  in       = terraform_data.between.output
  gen      = var.gen
}
