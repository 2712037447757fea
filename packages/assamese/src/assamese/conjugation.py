"""Inflection tables of Assamese verbs: find the stems of a verbal noun, and generate their forms by rule."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final, NamedTuple

from assamese.normalization import nfc
from assamese.paradigms import RULES, Cell, Headword, WordKind, get_label

PERSONS: Final = ("first", "familiar", "second", "third")
IMPERATIVE_PERSONS: Final = PERSONS[1:]
NEGATABLE_FORMS: Final = frozenset({"verbal_noun", "purpose", "until", "conjunctive", "conditional", "when", "while"})
MAX_AMBIGUOUS_LETTERS: Final = 2
"""Maximum number of letters of a form with an initial vowel that is not negated, as too ambiguous: নুঠ."""

VERBAL_NOUN_MARK: Final = "="
"""The mark that stands in the table for the ending of a form that equals the verbal noun."""

_CONSONANT: Final = "[ক-হৰৱ]়?"
_CLUSTER: Final = f"{_CONSONANT}(?:্{_CONSONANT})*"
_CONSONANT_STEM: Final = re.compile(f"(.*?)([ািীুূেো]?)(ঁ?)({_CLUSTER})")
_FIRST_LETTER: Final = re.compile("অ(?=[ক-হৰৱ]়?া$)|[আইউএও]ঁ?")
_FIRST_SYLLABLE: Final = re.compile(f"{_CLUSTER}([ািীুূেৈোৌ]?)(?!ৃ)")
_CAUSATIVE: Final = re.compile(f".*[অ-হৰৱ].*{_CONSONANT}[ঁািীুূেোৌ]*(?=োৱা)|.*[িীু](?=ওৱা)")
_GLIDES: Final = {"ি": "য়া", "ী": "য়া", "ু": "ৱা"}
_LAST_O: Final = re.compile(f"ো(?=ঁ?{_CLUSTER}$)")
_REVEALING_ENDINGS: Final = ("ি", "িব", "িল", "িলে", "িছে", "োঁ", "ে")
"""Endings by which a known form shows its stem."""


class Verb(NamedTuple):
    """A verb by its stem: class in the table, verbal noun or "", and third-person past endings."""

    stem: str
    stem_class: str
    verbal_noun: str
    third_past_endings: tuple[str, ...] = ()


def iter_verb_cells(word: Headword) -> Iterator[Cell]:
    """Yield the forms of the verbs of a headword whose stems are certain."""
    if nfc(word.text) == RULES.being.negative_verb:
        for group, person, form in _iter_negative_be_forms():
            yield Cell((get_label(group), get_label(person)), form)
    for verb in find_verbs(word):
        for group, person, form in (*_iter_finite_forms(verb), *_iter_non_finite_forms(verb)):
            if form:
                yield Cell((get_label(group), get_label(person)), form)


def find_verbs(word: Headword) -> tuple[Verb, ...]:
    """Return the verbs of a headword: by the table, by an unambiguous verbal noun, or by known forms.

    Two verbs may share a verbal noun: পৰা belongs to পৰ- "fall" and পাৰ- "can".
    """
    text = nfc(word.text)
    stem = RULES.verbal_nouns.get(text) or _find_stem_in_a(text)
    stems = (stem,) if stem else _find_consonant_stems(text, word.known_forms)
    if stems:
        return tuple(_build_verb(each, text, word) for each in stems)
    if text in RULES.shared_verbal_nouns:
        return tuple(
            _build_verb(each, text, word._replace(kinds=frozenset({kind}))) for each, kind in _stems_by_kind(text, word)
        )
    bare = text.removesuffix("্")
    is_stem = bare in _TABLE_STEMS or (bare != text and _CONSONANT_STEM.fullmatch(bare))
    return (_build_verb(bare, "", word),) if is_stem else ()


_TABLE_STEMS: Final = frozenset(RULES.verbal_nouns.values())


def _build_verb(stem: str, verbal_noun: str, word: Headword) -> Verb:
    return Verb(stem, classify_stem(stem), verbal_noun, _find_third_past_endings(stem, word))


def classify_stem(stem: str) -> str:
    """Return the class of a stem by its last vowel, with a class of its own for a single consonant (ল-, ক-)."""
    vowels = {"া": "a", "ি": "i", "ু": "u"}
    return vowels.get(stem[-1:]) or ("o" if re.fullmatch(_CONSONANT, stem) else "consonant")


def _find_third_past_endings(stem: str, word: Headword) -> tuple[str, ...]:
    """Return -ল, -লে or both: by the tables, else by the known forms, else by the kind of the verb.

    Transitive verbs take -লে, most others -ল. A word that is both takes both: বাঢ়িল "grew", বাঢ়িলে "served".
    """
    rules = RULES.verbs
    in_l, in_le = rules.past_of_those, rules.past[-1]
    from_table = [ending for ending, stems in ((in_l, rules.past_in_l), (in_le, rules.past_in_le)) if stem in stems]
    from_forms = [ending for ending in (in_l, in_le) if _raise_stem(stem) + ending in word.known_forms]
    if from_table or len(from_forms) == 1:
        return tuple(from_table or from_forms)
    is_in_l = WordKind.OTHER_VERB in word.kinds and classify_stem(stem) != "a" and stem not in rules.past_not_certain
    return (in_l,) * is_in_l + (in_le,) * (WordKind.TRANSITIVE in word.kinds)


# --- stems ------------------------------------------------------------------------------------------------------------


def _find_stem_in_a(text: str) -> str:
    """Return the stem of a causative or similar verb (শিকা of শিকোৱা, পঠিয়া of পঠিওৱা, লুকুৱা of লুকুওৱা), or ""."""
    match = _CAUSATIVE.match(text)
    if match is None or " " in text or match.end() + len("োৱা") != len(text):
        return ""
    return nfc(match[0] + _GLIDES.get(match[0][-1], "া")) if text[match.end()] == "ও" else match[0] + "া"


def _find_consonant_stems(text: str, known_forms: frozenset[str]) -> tuple[str, ...]:
    """Return the consonant stems of a verbal noun in -া: one if its vowel is unambiguous, else those of known forms."""
    base = text.removesuffix("া")
    match = _CONSONANT_STEM.fullmatch(base)
    if base == text or match is None or not match[1] or " " in text or text.endswith(("োৱা", "ওৱা", "ুৱা", "য়া")):
        return ()
    before, sign, nasal, last = match.groups()
    if sign or before[-1:] in {"ই", "উ", "এ"}:
        return (base,)
    raised = f"আ{nasal}{last}" if before == "অ" else f"{before}া{nasal}{last}"
    return tuple(stem for stem in (base, raised) if any(stem + ending in known_forms for ending in _REVEALING_ENDINGS))


def _stems_by_kind(text: str, word: Headword) -> Iterator[tuple[str, WordKind]]:
    """Yield the stem of a shared verbal noun for each kind of verb that the word is."""
    entry = RULES.shared_verbal_nouns[text]
    of_kinds = {WordKind.OTHER_VERB: entry.intransitive, WordKind.TRANSITIVE: entry.transitive}
    return ((stem, kind) for kind, stem in of_kinds.items() if kind in word.kinds)


# --- forms ------------------------------------------------------------------------------------------------------------


def _iter_finite_forms(verb: Verb) -> Iterator[tuple[str, str, str]]:
    """Yield the finite forms, each as the name of its table part, the person and the form."""
    rules, past = RULES.verbs, _past_verb(verb)
    present = _add_endings(verb, RULES.classes[verb.stem_class].present)
    past_forms = [_raise_verb(past) + ending for ending in (*rules.past[:-1], *past.third_past_endings)]
    past_persons = (*PERSONS[:-1], *(PERSONS[-1:] * len(past.third_past_endings)))
    future = [_raise_verb(verb) + ending for ending in rules.future]
    past_perfect_forms = [_perfect_stem(past) + ending for ending in rules.past_perfect]
    yield from _label_forms("present", PERSONS, present)
    yield from _label_forms("past", past_persons, past_forms)
    yield from _label_forms("future", PERSONS, future)
    yield from _label_forms("perfect", PERSONS, (_perfect_stem(past) + ending for ending in rules.perfect))
    yield from _label_forms("past_perfect", PERSONS, past_perfect_forms)
    if verb.stem in RULES.negative_verbs.stems:
        return
    negate = partial(_negate_verb_form, verb)
    yield from _label_forms("imperative", IMPERATIVE_PERSONS, _imperative(verb))
    yield from _label_forms("not_present", PERSONS, map(negate, present))
    yield from _label_forms("not_past", past_persons, map(negate, past_forms))
    yield from _label_forms("not_past_perfect", PERSONS, map(negate, past_perfect_forms))
    yield from _label_forms("not_future", IMPERATIVE_PERSONS, map(negate, future[1:]))
    if verb.stem in RULES.being.verbs:
        yield from _label_forms("being_present", PERSONS, RULES.being.present)
        yield from _label_forms("being_past", PERSONS, RULES.being.past)
        yield from _iter_negative_be_forms()


def _iter_negative_be_forms() -> Iterator[tuple[str, str, str]]:
    yield from _label_forms("not_being_present", PERSONS, RULES.being.negative_present)
    yield from _label_forms("not_being_past", PERSONS, RULES.being.negative_past)


def _iter_non_finite_forms(verb: Verb) -> Iterator[tuple[str, str, str]]:
    """Yield the non-finite forms and their negations, each as the table part, the form's name and the form."""
    rules, of_class, past = RULES.verbs, RULES.classes[verb.stem_class], _past_verb(verb)
    forms = {
        "verbal_noun": verb.verbal_noun,
        "infinitive": _raise_verb(verb) + rules.infinitive,
        "of_infinitive": _raise_verb(verb) + rules.of_infinitive,
        "purpose": _raise_verb(verb) + rules.purpose,
        "until": _raise_verb(verb) + rules.until,
        "conjunctive": _perfect_stem(past),
        "conditional": _raise_verb(past) + rules.conditional,
        "when": _raise_verb(past) + rules.when,
        "while": _add_ending(verb, of_class.while_),
        "agent": _add_ending(verb, of_class.agent),
    }
    yield from (("other", name, form) for name, form in forms.items())
    if verb.stem not in RULES.negative_verbs.stems:
        yield from (
            ("not_other", name, _negate_verb_form(verb, form))
            for name, form in forms.items()
            if name in NEGATABLE_FORMS
        )


def _label_forms(group: str, persons: Iterable[str], forms: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    return ((group, person, form) for person, form in zip(persons, forms, strict=True))


def _add_endings(verb: Verb, endings: Iterable[str]) -> list[str]:
    return [_add_ending(verb, ending) for ending in endings]


def _imperative(verb: Verb) -> list[str]:
    """Return the imperatives for তই, তুমি and আপুনি; "" without an ending in the table, except after a consonant."""
    endings = RULES.classes[verb.stem_class].imperative
    irregular = RULES.irregular_verbs.get(verb.stem, {})
    forms = zip(IMPERATIVE_PERSONS, endings, strict=True)
    return [
        irregular.get(f"imperative {person}")
        or (_add_ending(verb, ending) if ending or verb.stem_class == "consonant" else "")
        for person, ending in forms
    ]


def _add_ending(verb: Verb, ending: str) -> str:
    if ending == VERBAL_NOUN_MARK:
        return verb.verbal_noun
    return verb.stem.removesuffix(RULES.classes[verb.stem_class].taken) + ending


def _past_verb(verb: Verb) -> Verb:
    other = RULES.stems_of_past.get(verb.stem, verb.stem)
    return verb._replace(stem=other, stem_class=classify_stem(other))


def _raise_verb(verb: Verb) -> str:
    return _raise_stem(verb.stem)


def _raise_stem(stem: str) -> str:
    """Return the stem before endings in ল, ম and ব: কৰি, খুলি, খা, দি, ল’, শু."""
    return find_raised_base(stem) + RULES.classes[classify_stem(stem)].raising


def _perfect_stem(verb: Verb) -> str:
    """Return the stem before endings in ছ, which is the conjunctive participle: কৰি, খুলি, খাই, দি, লৈ, শুই."""
    return find_raised_base(verb.stem) + RULES.classes[verb.stem_class].perfect


def find_raised_base(stem: str) -> str:
    """Return the stem before the vowel of endings in ল, ম, ব and ছ: খুল of খোল."""
    if classify_stem(stem) == "consonant":
        return _LAST_O.sub("ু", stem)
    return stem.removesuffix(RULES.classes[classify_stem(stem)].taken)


def _negate_verb_form(verb: Verb, form: str) -> str:
    """Negate a form with the negative stem of its verb (পাৰে, নোৱাৰে), or with the prefix ন-; "" if impossible."""
    if verb.stem in RULES.negative_verbs.negated_inside:
        return ""
    negative = RULES.negative_stems.get(verb.stem)
    if negative is None:
        return negate_form(form)
    # The verbal noun is lowered: পৰা does not begin with পাৰ-.
    return negative + form.removeprefix(verb.stem) if form.startswith(verb.stem) else ""


def negate_form(form: str) -> str:
    """Prefix the negation with the vowel of the first syllable; return "" if the result is uncertain."""
    if _FIRST_LETTER.match(form) is not None:
        return RULES.negation.letters[form[0]] + form[1:] if len(form.replace("ঁ", "")) > MAX_AMBIGUOUS_LETTERS else ""
    syllable = _FIRST_SYLLABLE.match(form)
    return RULES.negation.signs[syllable[1]] + form if syllable is not None else ""
