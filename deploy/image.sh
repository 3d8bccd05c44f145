#!/bin/sh
# 做一个容器镜像 tangxu，不用任何镜像仓库。要有 mmdebstrap 和 buildah（都是 Debian 的软件包）；pip 的镜像用 PIP_INDEX_URL 换。
# 后面的参数原样交给 buildah，例如 --volume。
set -eu
cd "$(dirname "$0")/.."
for program in mmdebstrap buildah; do
    command -v "$program" >/dev/null || { echo "✗ 没有 $program：apt install mmdebstrap buildah" >&2; exit 1; }
done
mmdebstrap --variant=minbase --include=python3,python3-venv,ca-certificates \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    bookworm deploy/rootfs.tar
buildah build --isolation chroot --ignorefile deploy/containerignore --file deploy/Containerfile \
    ${PIP_INDEX_URL:+--build-arg "PIP_INDEX_URL=$PIP_INDEX_URL"} --tag tangxu "$@" .
rm deploy/rootfs.tar
