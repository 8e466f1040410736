variable "a_name_with_more_than_forty_letters_is_too_long" {} # want "more than 40 letters"

locals {
  base = { owner = "web", stage = "test" }
}

variable "given" {
  type = map(string)
}

resource "terraform_data" "team" {
  tags = merge(local.base, { stage = "live" })
}

resource "terraform_data" "nobody" {
  tags = merge(local.base, { owner = "nobody" }) # want "nobody is no team"
}

resource "terraform_data" "null" {
  tags = merge(local.base, { owner = null })
}

resource "terraform_data" "unknown" {
  tags = merge(var.given, { owner = "nobody" })
}

resource "terraform_data" "without" {
}
