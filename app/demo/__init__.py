"""A believable school term in a database of its own, so that every screen can be seen in a minute.

It stands above the records and the course as the web does, and uses them as the web does: every answer goes
through the verbs that a student's answer would go through, with the clock of that day.
"""
