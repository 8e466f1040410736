variable "db_secret" { # want "must be sensitive"
  type = string
}

variable "api_secret" {
  type      = string
  sensitive = true
}
