#!/bin/sh
# Print the first Python that is at least 3.11, or say in one sentence what is missing.
# A name is tried by running it: version managers leave names behind that start nothing.
found=
for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        command -v "$name"
        exit 0
    fi
    [ -n "$found" ] || found=$("$name" --version 2>/dev/null)
done
if [ -n "$found" ]; then
    echo "✗ 需要 Python 3.11 或更新，这台机器上只有 $found：请先装一个新的。" >&2
    echo "  糖序 needs Python 3.11 or newer and found only $found: please install a newer one." >&2
else
    echo "✗ 这台机器上没有找到 Python：请先安装 Python 3.11 或更新（Debian/Ubuntu：apt install python3 python3-venv）。" >&2
    echo "  No Python was found: please install Python 3.11 or newer (Debian/Ubuntu: apt install python3 python3-venv)." >&2
fi
exit 1
