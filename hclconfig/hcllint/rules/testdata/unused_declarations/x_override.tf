output "o" { value = var.in_override }
locals {
  only_there = 1 # want "local.only_there is declared but not used"
  used_there = 2
}
output "there" { value = local.used_there }
