mock_provider "lab" {
  mock_resource "lab_switch" {
    defaults = {
      serial = "mocked"
    }
  }
  override_data {
    target = data.lab_lookup.d
    values = { id = "over" }
  }
}
override_resource {
  target = lab_switch.s
  values = { token = "tt" }
}
run "mocked" {
  assert {
    condition     = lab_switch.s[0].serial == "mocked" && data.lab_lookup.d.id == "over"
    error_message = "Not mocked: ${lab_switch.s[0].serial}."
  }
}
run "verbose" {
  command = plan
  plan_options {
    mode    = refresh-only
    refresh = true
  }
}
