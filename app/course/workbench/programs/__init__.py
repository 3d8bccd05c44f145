"""What programs print or keep: dictionaries, objects, lists under names, and tables out of data frames."""
