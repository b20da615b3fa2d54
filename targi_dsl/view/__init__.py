"""All that one viewer sees of a table, as one plain value that every table draws."""
