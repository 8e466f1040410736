resource "aws_route_table" "public_route_table" {} # want "the name \"public_route_table\" repeats the type \"aws_route_table\""
resource "aws_route_table" "public" {}
data "aws_ami" "my-ami" {} # want "the name \"my-ami\" repeats the type \"aws_ami\""
data "http" "http" {}
