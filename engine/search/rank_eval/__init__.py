"""How good searches are, judged by rated documents: the ``_rank_eval`` API.

`metrics.py` has the measures (a table of them), `request.py` what is asked, `evaluate.py` asks and judges.
"""
