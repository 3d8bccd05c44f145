"""An item as a learner sees it, kind by kind."""
