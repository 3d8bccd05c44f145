"""重新评分 of a part of an assignment: the answers to it, what marking them again would do, and doing it."""
