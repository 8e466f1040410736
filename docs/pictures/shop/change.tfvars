engine  = "16.1"
size    = "t3.medium"
servers = ["web-2", "web-3"]
zones   = { a = "10.0.1.0/24", b = "10.0.4.0/22", c = "10.0.8.0/24" }
database_password = "another-horse-staple"
