"""Studies: what they find, and that they find nothing where there is nothing."""
