list "lab_switch" "x" {
  config {
    nope = 1
  }
}
