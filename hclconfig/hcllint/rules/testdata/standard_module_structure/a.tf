variable "a" {} # want "variable \"a\" should be moved from .*a.tf to variables.tf"
output "b" { value = 1 } # want "output \"b\" should be moved from .*a.tf to outputs.tf"
