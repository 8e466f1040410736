module "inner" {
  source  = "acme/box/lab"
  version = ">= 1.0, < 2"
}
module "sub" {
  source = "./modules/sub"
}
output "o" {
  value = [module.inner.label, module.sub.x]
}
