locals {} # want "terraform \"required_version\" attribute is required"
