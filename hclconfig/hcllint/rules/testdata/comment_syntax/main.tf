// A slash comment. # want "Comments should begin with #"
# A good one.
locals { // beside # want "Comments should begin with #"
  a = 1 /* within a line */ + 2
  b = "// no comment"
  c = <<-EOT
    // no comment either
  EOT
  d = [ // in a list # want "Comments should begin with #"
    1,
  ]
}
/* one line */
/* two
   lines */
/*
 * Three.
 */ variable "x" {}
