key_provider "pbkdf2" "a" {
  passphrase    = "correct horse battery staple"
  iterations    = 200000
  hash_function = "sha256"
}
key_provider "pbkdf2" "b" {
  chain         = key_provider.pbkdf2.a
  iterations    = 200000
  hash_function = "sha512"
  key_length    = 24
  salt_length   = 16
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.b
}
state {
  method = method.aes_gcm.m
}
plan {
  method = method.aes_gcm.m
}
