"""What teachers write: own content as one YAML text, and items as they were."""
