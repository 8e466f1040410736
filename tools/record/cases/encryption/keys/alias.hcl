key_provider "pbkdf2" "p" {
  passphrase               = "correct horse battery staple"
  iterations               = 250000
  hash_function            = "sha256"
  encrypted_metadata_alias = "al"
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.p
  aad  = [1, 2, 255]
}
state {
  method = method.aes_gcm.m
}
plan {
  method = method.aes_gcm.m
}
