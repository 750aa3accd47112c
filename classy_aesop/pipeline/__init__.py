"""The main job, a module a step: extract the years, plan the runs, learn them, assess the predictions."""
