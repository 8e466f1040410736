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

resource "aws_cloudwatch_log_group" "short" {
  retention_in_days = "14" # want "fewer than 30 days"
}

resource "aws_cloudwatch_log_group" "long" {
  retention_in_days = 15 * 2
}

resource "aws_cloudwatch_log_group" "unset" {}

resource "aws_cloudwatch_log_group" "null" {
  retention_in_days = null
}

resource "aws_cloudwatch_log_group" "unknown" {
  retention_in_days = length(var.given)
}
