"""A question that is answered in words."""

WHY = """\
title: 为什么
skill: dcg
items:
  why:
    stem: 为什么只看前几名？
    rubric:
      - {text: 一屏看得见几条, points: 2}
      - {text: 后面没人翻, points: 1}
    model: 一屏只有几条，后面没人翻。
"""
WITHOUT_RUBRIC = """\
title: 为什么
skill: dcg
items:
  why:
    stem: 为什么只看前几名？
    checkpoints: [一屏看得见几条, 后面没人翻]
    model: 一屏只有几条，后面没人翻。
"""
