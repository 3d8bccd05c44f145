"""Two versions of the site compared by what people notice: pages, fragments, files, and what posts answer.

    .venv/bin/python -m tools.crawl make OUT            # the tree in which this folder stands
    .venv/bin/python -m tools.crawl make OUT --quick    # fewer samples of what is alike
    .venv/bin/python -m tools.crawl make OUT --tree ../older --data data   # another tree, existing records
    .venv/bin/python -m tools.crawl compare OUT OTHER   # differences page by page; 1 when there are any

It is for changes that should change nothing for people, however much they move inside. So it knows the site
only from outside: `python -m app demo` and `serve`, the settings `TANGXU_…`, and HTTP. The site runs under
`tools/still.py`, which holds its clock and its dice.

Five visitors (nobody, a guest, a pupil, a teacher, another teacher) follow every link of the demonstration's
school, some of each pattern of addresses, and send every form that they find, with and without htmx. Then
come walks through the main flows of a lesson and of a class. Each answer is kept as lines: status, where it
leads, texts, links, forms, ids, roles and the attributes of aria and htmx; of a file its cells or notes. The
names of CSS classes, hashes in addresses of assets, and tokens are left out.
"""
