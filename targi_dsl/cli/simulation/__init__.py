"""Output of `targi simulate`: tables, a page with plots, a Parquet file."""
