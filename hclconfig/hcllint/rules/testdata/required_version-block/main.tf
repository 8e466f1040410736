locals {}
terraform { # want "terraform \"required_version\" attribute is required"
  backend "local" {}
}
terraform {}
