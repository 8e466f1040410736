// want "Comments should begin with #"
# A good one.
locals { // want "Comments should begin with #"
  a = 1 /* within a line */ + 2
  b = "// no comment"
  c = <<-EOT
    // no comment either
  EOT
  d = [ // want "Comments should begin with #"
    1,
  ]
}
/* one line */
