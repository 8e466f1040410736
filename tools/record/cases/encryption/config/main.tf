variable "word" {
  default = "one"
}
resource "terraform_data" "a" {
  input = var.word
}
output "o" {
  value = terraform_data.a.output
}
module "m" {
  source = "./m"
}
