"""What is looked up: errata, bands, glossary, privacy."""
