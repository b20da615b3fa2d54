"""What `targi simulate` found, as tables, as a page with plots and as a Parquet file."""
