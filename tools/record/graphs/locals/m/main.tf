variable "in" {}
locals { out = terraform_data.x.output }
resource "terraform_data" "x" { triggers_replace = var.in.a }
output "out" { value = local.out }
