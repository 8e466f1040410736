set_by_file = "file"
