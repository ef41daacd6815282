"""The token filters, by the names that settings and requests use."""

from collections.abc import Callable

from lanner.engine.analysis.analyzer import PartType
from lanner.engine.analysis.filters import (
    composed,
    compounds,
    flatten,
    grams,
    plain,
    selecting,
    stemming,
    summaries,
    synonyms,
    values,
    word_delimiter,
)
from lanner.engine.analysis.filters.plain import FilterMaker, each_term
from lanner.engine.analysis.filters.stemming import one_stemmer
from lanner.engine.analysis.language import normalizers
from lanner.engine.analysis.language.indic import indic
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.case_filters import UppercaseFilter
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.porter_stem import PorterStemFilter
from lanner.ext.analysis.term_filters import ReverseFilter, TrimFilter


def _removed(_: Parameters) -> FilterMaker:
    raise IllegalArgument("The [standard] token filter has been removed.")


def _only_by_name(parameters: Parameters) -> FilterMaker:
    raise IllegalArgument(f"token filter [{parameters.name}] takes no settings: name it without a definition")


def _plain(filter_class: FilterMaker) -> Callable[[Parameters], FilterMaker]:
    """Return the factory of a filter without parameters."""
    return lambda _: filter_class


TOKEN_FILTERS: dict[str, PartType[TokenFilter]] = {
    "apostrophe": PartType(each_term(plain.before_apostrophe)),
    "arabic_normalization": PartType(each_term(normalizers.arabic), normalizing=True),
    "arabic_stem": PartType(one_stemmer("arabic")),
    "asciifolding": PartType(plain.ascii_folding, normalizing=True, in_synonyms=plain.ascii_folding_only),
    "bengali_normalization": PartType(each_term(normalizers.bengali), normalizing=True),
    "brazilian_stem": PartType(one_stemmer("brazilian")),
    "cjk_bigram": PartType(grams.cjk_bigram),
    "cjk_width": PartType(each_term(normalizers.cjk_width), normalizing=True),
    "classic": PartType(plain.classic),
    "common_grams": PartType(grams.common_grams, bare=grams.no_common_grams, parses_synonyms=False),
    "concatenate_graph": PartType(summaries.concatenate_graph),
    "condition": PartType(composed.condition, bare=None, looks_around=True),
    "czech_stem": PartType(one_stemmer("czech")),
    "decimal_digit": PartType(each_term(normalizers.decimal_digit), normalizing=True),
    "delimited_payload": PartType(values.delimited_payload),
    "delimited_term_freq": PartType(values.delimited_term_freq),
    "dictionary_decompounder": PartType(compounds.dictionary_decompounder, bare=None, parses_synonyms=False),
    "dutch_stem": PartType(one_stemmer("Dutch")),
    "edgeNGram": PartType(
        grams.edge_ngram, bare=grams.renamed("edgeNGram", "edge_ngram"), parses_synonyms=False
    ),
    "edge_ngram": PartType(grams.edge_ngram, bare={"min_gram": "1", "max_gram": "1"}, parses_synonyms=False),
    "elision": PartType(plain.elision, normalizing=True, bare=plain.french_elision),
    "fingerprint": PartType(summaries.fingerprint, parses_synonyms=False),
    "flatten_graph": PartType(flatten.flatten_graph),
    "french_stem": PartType(one_stemmer("French")),
    "german_normalization": PartType(each_term(normalizers.german), normalizing=True),
    "german_stem": PartType(one_stemmer("german_caumanns")),
    "hindi_normalization": PartType(each_term(normalizers.hindi), normalizing=True),
    "hunspell": PartType(stemming.hunspell, bare=None),
    "hyphenation_decompounder": PartType(
        compounds.hyphenation_decompounder, bare=None, parses_synonyms=False
    ),
    "indic_normalization": PartType(each_term(indic), normalizing=True),
    "keep": PartType(selecting.keep, bare=None),
    "keep_types": PartType(selecting.keep_types, bare=None),
    "keyword_marker": PartType(selecting.keyword_marker, bare=None),
    "keyword_repeat": PartType(
        _only_by_name, bare=lambda: selecting.keyword_repeat(Parameters({}))(), parses_synonyms=False
    ),
    "kstem": PartType(one_stemmer("light_english")),
    "length": PartType(selecting.length),
    "limit": PartType(selecting.limit),
    "lowercase": PartType(plain.lowercase, normalizing=True),
    "min_hash": PartType(summaries.min_hash),
    "multiplexer": PartType(composed.multiplexer, looks_around=True, parses_synonyms=False),
    "nGram": PartType(grams.ngram, bare=grams.renamed("nGram", "ngram"), parses_synonyms=False),
    "ngram": PartType(grams.ngram, parses_synonyms=False),
    "pattern_capture": PartType(plain.pattern_capture, bare=None),
    "pattern_replace": PartType(plain.pattern_replace, bare=None),
    "persian_normalization": PartType(each_term(normalizers.persian), normalizing=True),
    "persian_stem": PartType(one_stemmer("persian"), bare_normalizing=True),
    "porter_stem": PartType(_plain(PorterStemFilter)),
    "predicate_token_filter": PartType(composed.predicate, bare=None, looks_around=True),
    "remove_duplicates": PartType(selecting.remove_duplicates),
    "reverse": PartType(_plain(ReverseFilter)),
    "russian_stem": PartType(one_stemmer("Russian")),
    "scandinavian_folding": PartType(each_term(normalizers.scandinavian_folding), normalizing=True),
    "scandinavian_normalization": PartType(each_term(normalizers.scandinavian), normalizing=True),
    "serbian_normalization": PartType(each_term(normalizers.serbian), normalizing=True),
    "shingle": PartType(grams.shingle, parses_synonyms=False),
    "snowball": PartType(stemming.snowball_filter),
    "sorani_normalization": PartType(each_term(normalizers.sorani), normalizing=True),
    "standard": PartType(_removed),
    "stemmer": PartType(stemming.stemmer),
    "stemmer_override": PartType(stemming.stemmer_override, bare=None),
    "stop": PartType(selecting.stop),
    "synonym": PartType(synonyms.synonym, bare=None, looks_around=True, in_synonyms=synonyms.no_filter),
    "synonym_graph": PartType(
        synonyms.synonym_graph, bare=None, looks_around=True, in_synonyms=synonyms.no_filter
    ),
    "trim": PartType(_plain(TrimFilter), normalizing=True),
    "truncate": PartType(plain.truncate, bare={"length": "10"}),
    "type_as_payload": PartType(_only_by_name, bare=lambda: values.type_as_payload(Parameters({}))()),
    "unique": PartType(selecting.unique),
    "uppercase": PartType(_plain(UppercaseFilter), normalizing=True),
    "word_delimiter": PartType(word_delimiter.word_delimiter, parses_synonyms=False),
    "word_delimiter_graph": PartType(word_delimiter.word_delimiter_graph, parses_synonyms=False),
}
