variable "z" {}
