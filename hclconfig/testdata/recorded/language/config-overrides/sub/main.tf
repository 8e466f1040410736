variable "n" {}
variable "k" {}
