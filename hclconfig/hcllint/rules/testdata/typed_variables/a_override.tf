variable "c" { type = number }
