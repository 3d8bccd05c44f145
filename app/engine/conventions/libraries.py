"""The answers of the implementations that people use, as observed.

Every preset was run on the same small lists (tied scores, near ties, negative and fractional grades, a
pool larger than the list, nothing relevant); versions stand in ``version``, November 2026. Read from the
source only: how RankLib sorts ties (a stable merge sort). What was not observed is refused rather than
guessed: gdeval with a negative grade. scikit-learn's reversed ties are what it did on short lists; its
sort promises no order.

Two presets are no libraries: ``course`` is how this course computes unless it says otherwise, and
``jk2002`` the definition in the first paper, which many tools cite and none computes.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from app.engine.conventions.model import Convention

COURSE = Convention(
    "course",
    library="糖序",
    summary="线性增益，除以log₂(名次+1)；理想分看评判池，没给就看列表本身；并列的按给出的顺序；没有糖记0分。",
    pool="judged",
)
JK2002 = Convention(
    "jk2002",
    library="Järvelin & Kekäläinen 2002",
    summary="最早的论文：第1、2名都不打折，从第3名起除以log₂(名次)。很多工具引用它，没有一家照它算。",
    discount="jk2002",
    pool="judged",
)
SCIKIT_LEARN = Convention(
    "scikit-learn",
    library="scikit-learn ndcg_score",
    summary="线性增益，理想分只看交上来的列表；并列的所有排法取平均；没有糖记0分；负等级、只有一篇文档都报错。",
    version="1.9.1",
    ties="average",
    shortest=2,
)
SCIKIT_LEARN_NO_TIES = replace(
    SCIKIT_LEARN,
    name="scikit-learn-ignore-ties",
    library="scikit-learn ndcg_score(ignore_ties=True)",
    summary="和scikit-learn一样，只是不管并列：从小到大排好再翻转，同分的往往后来的反而在前。",
    ties="reversed",
)
TORCHMETRICS = Convention(
    "torchmetrics",
    library="torchmetrics retrieval_normalized_dcg",
    summary="线性增益，只看列表，并列取平均；得分只留单精度，差一点点的也成了并列；负等级真的会扣分；没有糖记0分。",
    version="1.9.0",
    ties="average",
    negative="kept",
    single=True,
)
TREC_EVAL = Convention(
    "trec_eval",
    library="trec_eval ndcg / ndcg_cut",
    summary="线性增益，理想分看整个评判池；并列的按文档编号从大到小；没有糖记0分；等级要整数，负的按0算。",
    version="10.0-rc3",
    pool="judged",
    ties="docno-descending",
    negative="zero",
    fractional="refused",
)
PYTREC_EVAL = replace(
    TREC_EVAL,
    name="pytrec_eval",
    library="pytrec_eval ndcg / ndcg_cut",
    summary="给Python用的trec_eval，ir_measures的nDCG默认也由它算；得分先变成单精度，于是多出一些并列。",
    version="pytrec_eval-terrier 0.5.11",
    single=True,
)
GDEVAL = Convention(
    "gdeval",
    library="gdeval.pl（ir_measures的nDCG(dcg='exp-log2')）",
    summary="指数增益，理想分看评判池；并列的按文档编号从大到小；等级最高4，结果只印5位小数；没有糖记0分。",
    version="1.2a",
    gain="exponential",
    pool="judged",
    ties="docno-descending",
    fractional="refused",
    largest_grade=4,
    decimals=5,
)
RANX = Convention(
    "ranx",
    library="ranx ndcg",
    summary="线性增益，理想分看评判池；并列的按写进字典的先后；小数等级悄悄砍成整数，负的按0算；没有糖记0分。",
    version="0.3.21",
    pool="judged",
    negative="zero",
    fractional="truncated",
)
RANX_BURGES = replace(
    RANX,
    name="ranx-burges",
    library="ranx ndcg_burges",
    summary="和ranx的ndcg一样，只把增益换成2的等级次方减1。",
    gain="exponential",
)
LIGHTGBM = Convention(
    "lightgbm",
    library="LightGBM ndcg",
    summary="指数增益，只看列表；并列的按输入顺序；一颗糖都没有的查询记1分；等级要整数，最高30。",
    version="4.7.0",
    gain="exponential",
    zero_ideal="one",
    fractional="refused",
    largest_grade=30,
)
XGBOOST = Convention(
    "xgboost",
    library="XGBoost ndcg",
    summary="指数增益，只看列表；得分只有单精度，并列的按输入顺序；没有糖记1分（写成ndcg@k-才记0分）；等级要整数，最高31。",
    version="3.2.0",
    gain="exponential",
    zero_ideal="one",
    fractional="refused",
    largest_grade=31,
    single=True,
)
XGBOOST_LINEAR = replace(
    XGBOOST,
    name="xgboost-linear",
    library="XGBoost ndcg（ndcg_exp_gain=False）",
    summary="XGBoost换成线性增益：小数等级能用了，负等级真的会扣分；没有糖仍记1分。",
    gain="linear",
    negative="kept",
    fractional="kept",
    largest_grade=None,
)
CATBOOST = Convention(
    "catboost",
    library="CatBoost NDCG",
    summary="线性增益，只看列表；并列的按最坏的排法，最淡的在前；负等级真的会扣分；没有糖记1分。",
    version="1.2.10",
    ties="worst",
    zero_ideal="one",
    negative="kept",
)
CATBOOST_EXP = replace(
    CATBOOST,
    name="catboost-exp",
    library="CatBoost NDCG:type=Exp",
    summary="和CatBoost的NDCG一样，只把增益换成2的等级次方减1。",
    gain="exponential",
)
RANKLIB = Convention(
    "ranklib",
    library="RankLib NDCG",
    summary="指数增益，只看列表；并列的按输入顺序；小数等级砍成整数，遇到负等级程序直接退出；没有糖记0分。",
    version="built from source",
    gain="exponential",
    fractional="truncated",
)

CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        each.name: each
        for each in (
            COURSE,
            SCIKIT_LEARN,
            SCIKIT_LEARN_NO_TIES,
            TORCHMETRICS,
            TREC_EVAL,
            PYTREC_EVAL,
            GDEVAL,
            RANX,
            RANX_BURGES,
            LIGHTGBM,
            XGBOOST,
            XGBOOST_LINEAR,
            CATBOOST,
            CATBOOST_EXP,
            RANKLIB,
            JK2002,
        )
    }
)
