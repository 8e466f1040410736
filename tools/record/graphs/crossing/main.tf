variable "gen" {
  type    = number
  default = 1
}
module "a" {
  source = "./m"
  in     = var.gen
}
module "b" {
  source = "./m"
  in     = module.a.out
}
module "c" {
  source = "./m"
  in     = "${module.a.out}${module.b.out}"
}
