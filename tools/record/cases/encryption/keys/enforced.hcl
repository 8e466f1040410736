key_provider "pbkdf2" "p" {
  passphrase    = "correct horse battery staple"
  iterations    = 200000
  hash_function = "sha256"
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.p
}
state {
  method = method.aes_gcm.m
  enforced = true
}
plan {
  method = method.aes_gcm.m
  enforced = true
}
