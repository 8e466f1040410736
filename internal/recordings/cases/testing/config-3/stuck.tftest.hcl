run "stuck" {}
