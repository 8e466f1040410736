method "unencrypted" "u" {}
key_provider "pbkdf2" "p" {
  passphrase    = "correct horse battery staple"
  iterations    = 200000
  hash_function = "sha256"
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.p
}
state {
  method = method.unencrypted.u
  fallback {
    method = method.aes_gcm.m
  }
}
plan {
  method = method.unencrypted.u
  fallback {
    method = method.aes_gcm.m
  }
}
