output "p" { value = basename(path.module) }
