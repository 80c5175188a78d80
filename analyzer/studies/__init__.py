"""Questions that one run does not answer, a module a question: which of two is better, which strategy to
fear, which assumption matters, luck or skill. Each takes requests or Results and gives a `Study`."""
