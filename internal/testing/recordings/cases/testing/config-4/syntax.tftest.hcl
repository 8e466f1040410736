run "x" {
  nonsense = 1
}
run "x" {}
