variable "gen" {}
resource "terraform_data" "y" { triggers_replace = var.gen }
