terraform {
  required_version = ">= 1.6"
}

variable "database_password" {
  type      = string
  sensitive = true
  default   = "correct-horse-battery"
}

variable "engine" {
  type        = string
  description = "The version of the database engine; a new one needs a new database."
  default     = "15.4"
}

variable "servers" {
  default = ["web-1", "web-2"]
}

variable "owner" {
  type        = string
  description = "Who pays."
  default     = "shop"
}

resource "terraform_data" "server" {
  for_each = toset(var.servers)
  input = {
    name     = "${each.key}"
    size     = var.size
    database = terraform_data.database.id
  }
}

module "network" {
  source = "./network"
  zones  = var.zones
}

variable "zones" {
  type        = map(string)
  description = "The network of each zone."
  default     = { a = "10.0.1.0/24", b = "10.0.2.0/24" }
}

resource "terraform_data" "database" {
  triggers_replace = [var.engine]
  input = {
    engine   = "postgres"
    version  = var.engine
    password = var.database_password
    subnets  = module.network.subnets
  }
}

variable "size" {
  type        = string
  description = "The size of a server."
  default     = "t3.small"
}

output "database" {
  value       = terraform_data.database.id
  description = "The id of the database."
}
