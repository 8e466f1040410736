variable "f" { description = "from here" }
variable "b" { type = string }
