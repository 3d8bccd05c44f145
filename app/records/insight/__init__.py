"""What a teacher reads of a class: today, item statistics, misconceptions, pre- and post-tests."""
