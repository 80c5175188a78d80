"""The report of a run: tables, plots, page, terminal. Imports what is slow only where it is used."""


def preload() -> None:
    """Import what a report needs, at a time when somebody else works."""
    import jinja2  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
