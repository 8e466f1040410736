variable "db_secret" { # want `variable db_secret must be sensitive`
  type = string
}

variable "api_secret" {
  type      = string
  sensitive = true
}
