terraform {
  required_providers {
    aws    = { source = "hashicorp/aws" }
    unused = { source = "a/unused" } # want "provider 'unused' is declared in required_providers but not used by the module"
    old    = "1.0" # want "provider 'old'"
    mod    = { source = "a/mod" }
    child  = { source = "a/child" } # want "provider 'child'"
    aliased = { # want "provider 'aliased'"
      source                = "a/aliased"
      configuration_aliases = [aliased.x]
    }
    fun = { source = "a/fun" }
  }
}
resource "aws_x" "y" { a = provider::fun::x(1) }
module "m" {
  source    = "./x"
  providers = { child = mod.x }
}
