terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
provider "lab" {
  realm = "q"
}
variable "prefix" {
  type    = string
  default = "p-"
}
