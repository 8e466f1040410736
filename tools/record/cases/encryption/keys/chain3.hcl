key_provider "pbkdf2" "z" {
  passphrase = "correct horse battery staple"
}
key_provider "pbkdf2" "b" {
  chain = key_provider.pbkdf2.z
}
key_provider "pbkdf2" "a" {
  chain      = key_provider.pbkdf2.b
  key_length = 24
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.a
}
state {
  method = method.aes_gcm.m
}
plan {
  method = method.aes_gcm.m
}
