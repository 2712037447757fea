from assamese.normalization import visible_length


def test_only_visible_characters_are_counted() -> None:
    for text, length in [
        ("\u200b\u200c\u200d\u2060\ufeff", 0),
        ("\u3164\u115f\u1160\uffa0", 0),
        ("\u2800\u2800\U0001d159", 0),
        ("\u0301\u0302\u20dd", 0),
        ("\u09be\u09bf", 0),
        ("\ufe0f\U000e0041\u034f\u17b4\u180e\u00ad", 0),
        ("\u202e\u2066\u2069", 0),
        ("a\u0301\u200d", 1),
        ("A.", 2),
        ("নী", 2),
        ("কু", 2),
        ("ক্ষ", 2),
        ("山田", 2),
        ("📷 7", 2),
    ]:
        assert visible_length(text) == length
