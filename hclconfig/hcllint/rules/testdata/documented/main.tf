variable "a" {} # want "`a` variable has no description"
variable "b" { description = "b" }
variable "c" { description = "" } # want "`c` variable has no description"
variable "d" { description = " " }
variable "e" { # want "`e` variable has no description"
  description = <<EOT
EOT
}
variable "f" {}
variable g {} # want "`g` variable has no description"
output "a" { value = 1 } # want "`a` output has no description"
output "b" {
  value       = 1
  description = "b"
}
output "c" { # want "`c` output has no description"
  value       = 1
  description = ""
}
