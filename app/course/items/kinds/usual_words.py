"""What is said to an answer where the author of its item wrote nothing, first where it is right."""

CHOICE_FEEDBACK = ("对。", "不是这一项。")
LINE_FEEDBACK = ("就是这一行。", "这一行没有问题。")
JUDGEMENT_PRAISE = "判断得对。"
CORRECTION_BY_TRUTH = {True: "这句话其实对。", False: "这句话其实不对。"}
"""To a wrong judgement, by whether the sentence is true."""
PRAISE_WITHOUT_REASON = (CHOICE_FEEDBACK[0], LINE_FEEDBACK[0], JUDGEMENT_PRAISE)
