"""What practice goes by: mastery, recommendations, the notebook of mistakes, the skill map."""
