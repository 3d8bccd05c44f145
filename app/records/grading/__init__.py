"""Work that is handed in, and its marks: submissions, gradebook, overrides, regrading."""
