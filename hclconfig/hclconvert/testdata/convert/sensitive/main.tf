
variable "secret" {
  default   = "s3"
  sensitive = true
}
resource "terraform_data" "s" {
  input            = { (var.secret) = 1, plain = "x${var.secret}" }
  triggers_replace = { for k in [1] : "k" => var.secret }
}
resource "terraform_data" "ns" { input = nonsensitive("${var.secret}") }
output "s" {
  value     = { "${var.secret}" = 1 }
  sensitive = true
}
output "u" {
  value     = { "${nonsensitive(var.secret)}-x" = terraform_data.s.id, (nonsensitive(var.secret)) = 2 }
}
