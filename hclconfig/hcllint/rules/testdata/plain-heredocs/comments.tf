/* two
   lines */
/*
 * Three.
 */ variable "x" {}
