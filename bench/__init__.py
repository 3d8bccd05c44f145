"""`make bench`: how fast the site is, measured side by side with the limit it could reach.

One run of `python -m bench` starts three servers, asks all of them in turn with wrk, and prints a table:

* `bare.py` is the limit: an ASGI app that sends the same bytes, and one that writes the same row with raw
  sqlite3 (group commit, synchronous=FULL);
* ours is the real thing, `python -m app serve`, with guests that `guests.py` lets learn for a while.

`traffic.py` says what is asked, `wrk.py` asks it, `loads.py` and `rounds.py` take turns, `goals.py` judges,
`report.py` prints; `engine.py` compares NDCG with scikit-learn's, also alone: `python -m bench.engine`.
It is a measurement, not a test: it never fails because something is slow.
"""
