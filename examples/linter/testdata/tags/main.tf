provider "aws" {
  default_tags {
    tags = { team = "web" }
  }
}

provider "aws" {
  alias = "owned"
  default_tags {
    tags = local.owned
  }
}

variable "tags" {
  type = map(string)
}

locals {
  common = { team = "web", stage = "test" }
  owned  = merge(local.common, { owner = "ops" })
}

resource "aws_s3_bucket" "bare" { # want `bare has no tag owner`
}

resource "aws_s3_bucket" "common" { # want `common has no tag owner`
  tags = merge(local.common, { name = "x" })
}

resource "aws_s3_bucket" "owned" {
  tags = local.owned
}

resource "aws_s3_bucket" "provider" {
  provider = aws.owned
}

resource "aws_s3_bucket" "unknown" {
  tags = merge(local.common, var.tags)
}
