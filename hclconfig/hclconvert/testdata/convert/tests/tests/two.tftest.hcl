run "a" {
  command = plan
}
run "b" {
  command = plan
  override_resource {
    target = terraform_data.r
    values = { id = "fixed-$${x}" }
  }
}
