variable "a" {} # want "`a` variable has no type"
variable "b" { type = string }
variable "c" {}
variable "d" { type = any }
variable "e" { # want "`e` variable has no type"
  default = 1
}
