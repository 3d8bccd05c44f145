"""Tables of strangers: short ones are read in place, long ones in a process of their own."""

from pathlib import Path

from app.course.text import csv_reader, sandbox
from app.course.text.csv_reader import CsvReading

CSV_READER = Path(csv_reader.__file__)
LONGEST_READ_IN_PLACE = 20_000
"""Characters of a table that is read in place: that takes 10 ms, whatever is in it, and a process 60 ms to
start. Two hundred students are some 6000."""


def read(table_text: str, separator: str) -> CsvReading:
    """The rows of a table; raises `sandbox.ProgramStopped` where reading it took too much.

    >>> read("小糖;01", ";").rows
    [(1, ['小糖', '01'])]
    """
    if len(table_text) <= LONGEST_READ_IN_PLACE:
        return csv_reader.read(table_text, separator)
    reader_input = f"{separator}{table_text}".encode("utf-8", "surrogatepass")
    return CsvReading(*sandbox.json_output(CSV_READER, reader_input))
