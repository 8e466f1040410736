# The module that main.tf.json calls.
