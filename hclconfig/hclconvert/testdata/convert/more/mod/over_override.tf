variable "y" { default = { z = "$${o}" } }
output "o" { description = "overridden" }
