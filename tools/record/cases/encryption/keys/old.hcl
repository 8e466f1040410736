key_provider "pbkdf2" "old" {
  passphrase    = "a second, older passphrase"
  iterations    = 200000
  hash_function = "sha256"
}
method "aes_gcm" "old" {
  keys = key_provider.pbkdf2.old
}
state {
  method = method.aes_gcm.old
}
plan {
  method = method.aes_gcm.old
}
