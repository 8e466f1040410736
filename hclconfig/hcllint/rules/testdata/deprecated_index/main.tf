locals {
  a = aws_instance.web.0.id # want "List items should be accessed using square brackets"
  b = aws_instance.web.*.id # want "square brackets"
  c = aws_instance.web[0].id
  d = aws_instance.web[*].id
  e = f(x).0 # want "square brackets"
  f = "n-${var.list.0}-${var.list.1}" # want "square brackets" "square brackets"
  g = [for x in var.list : x.0.id] # want "square brackets"
  h = { (var.list.0) = var.list.*.a } # want "square brackets" "square brackets"
  i = var.list . 0 # want "square brackets"
  j = 1.0
  m = (var.list).0 # want "square brackets"
  n = aws_instance.web.*.0.id # want "square brackets" "square brackets"
  k = aws_instance.web.*.id[0] # want "square brackets"
  q = aws_instance.web.*.0.id[0] # want "square brackets" "square brackets"
  o = var.list[0].0.a # want "square brackets"
  p = module.x.list.0.a.1 # want "square brackets" "square brackets"
}

resource "a_b" "c" {
  d {
    e = var.list.0 # want "square brackets"
  }
  dynamic "f" {
    for_each = var.list.* # want "square brackets"
    content {}
  }
  lifecycle {
    ignore_changes = [tags.0] # want "square brackets"
  }
}

variable "list" {}
