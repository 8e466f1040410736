list "lab_switch" "warn" {
  provider = lab
  config {
    fail = "warn"
  }
}
list "lab_switch" "fail" {
  provider = lab
  config {
    fail = "list"
  }
}
