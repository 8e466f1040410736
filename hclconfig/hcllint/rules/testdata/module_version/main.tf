module "a" { source = "terraform-aws-modules/vpc/aws" } # want "module \"a\" should specify a version"
module "b" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}
module "c" { source = "app.terraform.io/a/b/c" } # want "module \"c\" should specify a version"
module "d" { source = "terraform-aws-modules/vpc/aws//modules/x" } # want "module \"d\""
module "e" { source = "./x" }
module "f" { source = "github.com/a/b/c" }
module "g" { # want "module \"g\" should specify a version"
  source  = "a/b/c"
  version = null
}
module "h" {
  source  = "a/b/c"
  version = var.unknown
}
module "i" {
  source  = "a/b/c"
  version = var.known
}
module "j" { # want "module \"j\""
  source  = "a/b/c"
  version = var.null
}
module "k" { source = var.source } # want "module \"k\""
module "l" { source = "a/b/c" }
module "m" { source = "registry.terraform.io/a/b/c" } # want "module \"m\""
module "n" { source = "a/b" }
module "o" { source = "A-b/C_d/e" } # want "module \"o\""
module "p" { source = "a/b/C" }
module "r" { source = "gitlab.com/a/b/c" } # want "module \"r\""
module "s" { source = "localhost:8080/a/b/c" }
module "t" { source = "localhost/a/b/c" }
module "u" { source = "git::a/b/c" }
module "v" { source = "/a/b/c" }
module "w" { source = "-a/b/c" }
variable "known" { default = "1.0" }
variable "unknown" {}
variable "null" { default = null }
variable "source" { default = "a/b/c" }
