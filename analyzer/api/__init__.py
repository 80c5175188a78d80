"""The functions behind `import analyzer`, which has them all by name. Heavy imports happen inside them."""
