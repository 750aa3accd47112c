"""From a configuration to predictors, a module a step: extract, plan the runs, search, refit, assess."""
