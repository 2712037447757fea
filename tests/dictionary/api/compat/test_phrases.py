from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_a_proverb_in_old_spelling_is_found(api: Ask) -> None:
    answer = api("/api/check-fj.php", {"fj": "নগই গড়গাওঁৰ বতৰা কয়"}).json

    assert answer | {"similar_items": []} == {
        "success": True,
        "phrase": "নগই গড়গাওঁৰ বতৰা কয়",
        "found": True,
        "count": 1,
        "similar_items": [],
    }
    (item,) = answer["similar_items"]
    assert item.keys() == {
        "id",
        "phrase",
        "roman",
        "roman_generated",
        "language_id",
        "meaning",
        "meanings",
        "category",
        "licence",
        "audio",
        "similarity",
        "exact",
    }
    assert (item["phrase"], item["exact"]) == ("নগৈ গড়গাঁৱৰ বতৰা কয়", False)
    assert 0.8 <= item["similarity"] < 1


def test_the_same_phrase_is_exact(api: Ask) -> None:
    (item, *_) = api("/api/check-fj.php", {"fj": "এটা নিগনিৰ সাতখন পাম"}).json["similar_items"]

    assert (item["similarity"], item["exact"]) == (1.0, True)


def test_language_0_means_assamese(api: Ask) -> None:
    assert api("/api/check-fj.php", {"fj": "এটা নিগনিৰ সাতখন পাম", "language": 0}).json["found"] is True
