
terraform {
  backend "local" {
    path = "a$${x}-%%{y}.tfstate"
  }
}
module "m" {
  source = "./m"
}
output "d" { value = module.m.p }
