T ${x} %{ if true }y%{ endif }
