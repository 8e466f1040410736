variable "gen" {}
resource "terraform_data" "x" { triggers_replace = var.gen }
module "n" {
  source = "./n"
  gen    = var.gen
}
