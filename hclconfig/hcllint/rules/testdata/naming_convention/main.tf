variable "vpcId" {} # want "variable name `vpcId` must match the following format: snake_case"
variable "vpc_id" {}
variable "vpc__id" {} # want "variable name `vpc__id`"
variable "_a" {} # want "variable name `_a`"
variable "a_" {} # want "variable name `a_`"
variable "a1_2" {}
variable "1a" {} # want "variable name `1a`"
variable "a-b" {} # want "variable name `a-b`"
locals {
  ok  = 1
  Bad = 2 # want "local value name `Bad` must match the following format: snake_case"
  b-b = 3 # want "local value name `b-b`"
}
output "Out" { value = 1 } # want "output name `Out`"
resource "AWS_x" "Web" {} # want "resource name `Web`"
data "a_b" "Web" {} # want "data name `Web`"
module "My-Mod" { source = "./x" } # want "module name `My-Mod`"
check "My" { # want "check name `My`"
  data "a_b" "Inner" {} # want "data name `Inner`"
  assert {
    condition     = true
    error_message = "x"
  }
}
ephemeral "a_b" "Eph" {}
provider "a" { alias = "My" }
