"""From score tables to answers: a module a question.

Parameters with the same meaning in every function:

scores, judgments, ratings : DataFrame, or sequence of DataFrame
    Score tables; several are taken as one, in which no score may be there twice.
metrics, levels, coefficients : str, or sequence of str
    One or more names.
year, task : str, optional
    Only these; by default every one, each on its own.
n_jobs : int
    Number of processes; it does not change the table.
progress : bool
    Show progress bars on standard error.
"""
