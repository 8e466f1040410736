variable "zones" {
  type        = map(string)
  description = "The network of each zone."
}

resource "terraform_data" "subnet" {
  for_each = var.zones
  input    = { zone = each.key, cidr = each.value }
}

output "subnets" {
  value       = [for s in terraform_data.subnet : s.output.cidr]
  description = "The networks."
}
