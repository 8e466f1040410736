locals {
  world = ["0.0.0.0/0"]
  open  = { ssh = 22, web = 443 }
}

resource "aws_security_group" "a" {
  ingress {
    from_port   = 22
    cidr_blocks = local.world # want `group a opens SSH`
  }
  ingress {
    from_port   = 22
    cidr_blocks = ["10.0.0.0/8"]
  }
}

resource "aws_security_group" "b" {
  dynamic "ingress" {
    for_each = local.open
    content {
      from_port   = ingress.value
      cidr_blocks = local.world # want `group b opens SSH`
    }
  }
}
