# The module that main.tf calls.
