"""Texts to try: any characters at all, and words made of the letters that this project is about."""

from hypothesis import strategies

LETTERS = (
    "অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযৰরলৱশষসহৎংঃঁািীুূৃেৈোৌ়্ৗ’'-. \u200c\u200d"
    "অऋकखगजटडतनपमयरलवसहािीेैोौ्ंँ़"
    "aAeéiouxXszhḥkngſßİ0৩।|\u0301\u0323"
)

any_text = strategies.text(strategies.characters(), max_size=40)
written_text = strategies.text(strategies.sampled_from(LETTERS), max_size=16)
texts = any_text | written_text
languages = strategies.sampled_from(["as", "bn", "hi", "ne", "brx", "en", "grt", "kha", "lus", "xx", "", "\ud800"])
