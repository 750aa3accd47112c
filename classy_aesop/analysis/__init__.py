"""From score tables to answers: a module a question."""
