module "given" {
  source = "./c"
  a = {}
  b = {}
  c = {}
  d = {}
  e = {}
  f = {}
}
module "default" {
  source = "./c"
  c = {}
  
}
output "given" { value = module.given.o }
output "default" { value = module.default.o }
