resource "terraform_data" "a" {
  input = "hello"
}
output "o" {
  value = terraform_data.a.id
}
module "m" {
  source = "./m"
}
