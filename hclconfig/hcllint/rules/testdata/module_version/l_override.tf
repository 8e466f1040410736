module "l" { version = "1.0" }
