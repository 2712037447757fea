from assamese.reduplication import ReduplicatedWord, find_reduplications


def test_a_reduplicated_word_consists_of_one_or_two_words() -> None:
    for text, parts in [
        ("গছে-গছে", (("গছে",),)),
        ("ঘৰেঘৰে", (("ঘৰে",),)),
        ("ভাত-চাত", (("ভাত",),)),
        ("চাহ-তাহ", (("চাহ",),)),
        ("দেখাদেখি", (("দেখা", "দেখ", "দেখি"),)),
        ("বোলাবুলি", (("বোলা", "বোল", "বুলি"),)),
        ("হতাহতি", (("হতা", "হত", "হাত", "হতি"),)),
        ("জানি-শুনি", (("জানি",), ("শুনি",))),
        ("বাটেঘাটে", (("বাটে",), ("ঘাটে",))),
    ]:
        assert find_reduplications(text) == (ReduplicatedWord(parts),)


def test_other_words_are_not_reduplicated() -> None:
    for text in ["", "-", "খুতখুত", "ভাত", "ভাত--চাত", "চাহ-মাছ-পানী", "মানুহ", "গে-গে-"]:
        assert find_reduplications(text) == ()
