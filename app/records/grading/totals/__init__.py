"""总评: the rules of a class, what marks come to by them, and the gradebook with it in every row."""
