"""The misconceptions by which what was given out has been chosen: fixed, so that it stays what it is."""

FIXED_MISCONCEPTION_IDS = frozenset({
    "exponential_for_linear", "linear_for_exponential", "power_without_minus_one", "minus_one_in_exponent",
    "twice_the_grade", "rank_for_grade", "mixed_gains", "next_rank_read", "gain_forgotten",
    "weight_for_gain", "term_for_weight", "natural_log", "natural_log_after_first", "log10", "log2_of_rank",
    "log2_rank_plus_two", "reciprocal_rank_discount", "one_added_after_log", "log_forgotten", "no_discount",
    "multiplied_by_log", "discount_not_asked", "weight_lost", "mixed_logs", "one_side_discounted",
    "list_from_below", "mean_not_sum", "zeros_dropped", "first_term_dropped", "last_term_dropped",
    "running_total_for_one", "whole_sum_for_one", "ideal_ascending", "ideal_not_sorted",
    "ideal_from_retrieved", "ideal_from_unseen", "list_in_ideal_twice", "ideal_from_first_k",
    "ideal_for_dcg", "ideal_for_cg", "ideal_not_cut", "k_ignored", "list_not_cut", "cut_one_later",
    "ratio_inverted", "dcg_for_ndcg", "idcg_for_ndcg", "cg_given", "ndcg_given", "difference_for_ratio",
    "share_lost", "ratio_averaged", "dcg_over_cg", "share_of_full_marks", "upside_down_is_zero",
    "grades_for_hits", "only_sweetest_relevant", "graded_pairs", "linear_chance",
    "chance_without_minus_one", "scale_of_list", "irrelevant_ranks_noted", "mean_of_all_precisions",
    "reciprocals_of_ranks", "precision_for_average", "last_relevant_rank", "rank_from_zero",
    "rank_plus_one", "rank_not_turned", "discount_for_reciprocal", "mean_of_reciprocals",
    "reciprocal_of_mean_rank", "average_precision_given", "reciprocal_rank_given", "recall_for_average",
    "precision_for_reciprocal", "readers_never_leave", "rank_forgotten", "log_for_rank",
    "patience_from_first", "patience_swapped", "patience_once", "pairs_upside_down", "neighbours_alone",
    "recall_for_precision", "precision_for_recall", "divided_by_all_ranks", "divided_by_found",
    "divided_by_pool", "relevant_to_irrelevant", "found_to_missed", "count_not_share",
    "divided_by_every_pair", "patience_not_scaled", "patience_of_list", "better_gain_alone",
    "upper_weight_alone", "ranks_for_weights", "ndcg_of_swap", "swap_not_divided", "swap_over_dcg",
    "gap_reversed", "penalty_for_surprise", "curvature_for_surprise", "surprise_forgotten",
    "swap_forgotten", "both_added", "ties_tossed", "sizes_ignored", "sizes_weighed", "exact_outcome_alone",
    "only_farther", "every_tally_alike", "two_a_coin", "one_tail", "chance_of_better", "share_of_wins",
    "first_label_alone", "chance_of_first_label", "even_chance", "chance_of_first_rater",
    "chance_of_both_mixed", "agreement_uncorrected", "chance_alone", "chance_subtracted_alone",
    "divided_by_chance", "subtracted_from_chance", "divided_by_one_plus_chance", "clicks_unweighted",
    "weights_upside_down", "weights_of_unseen", "one_mean_weight", "averaged_over_clicks",
    "mean_of_positions", "showings_weighted_too", "clicks_over_expected_looks",
    "weighted_clicks_not_divided",
})  # fmt: skip
"""All that were described when ``ndcg@2`` was first drawn. One that is described later stays out: with it a
seed, a 换你 or a battle would be another one from one day to the next. Whoever wants it kept from being taken
for right draws a further version of a skill, by a list of its own."""
