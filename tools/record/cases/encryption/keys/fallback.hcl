key_provider "pbkdf2" "old" {
  passphrase    = "a second, older passphrase"
  iterations    = 200000
  hash_function = "sha256"
}
method "aes_gcm" "old" {
  keys = key_provider.pbkdf2.old
}
key_provider "pbkdf2" "new" {
  passphrase    = "correct horse battery staple"
  iterations    = 200000
  hash_function = "sha256"
}
method "aes_gcm" "new" {
  keys = key_provider.pbkdf2.new
}
state {
  method = method.aes_gcm.new
  fallback {
    method = method.aes_gcm.old
  }
}
plan {
  method = method.aes_gcm.new
  fallback {
    method = method.aes_gcm.old
  }
}
