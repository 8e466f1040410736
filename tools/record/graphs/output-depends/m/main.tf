variable "gen" {}
resource "terraform_data" "x" { triggers_replace = var.gen }
resource "terraform_data" "y" { input = "y" }
output "plain" {
  value      = terraform_data.y.output
  depends_on = [terraform_data.x]
}
