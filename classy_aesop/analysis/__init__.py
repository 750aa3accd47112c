"""From score tables to answers: a module a question.

What means the same in every function is explained here:

year, task : str, optional
    Only these; by default every one, each on its own.
n_jobs : int
    Number of processes; it does not change the table.
progress : bool
    Show progress bars on standard error.
"""
