"""Floor 3: pages and fragments. A handler finds, does one verb, answers with a fragment."""
