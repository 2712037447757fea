"""The pages of the three wikis that tests ask, by language and title, in wikitext."""

LONG = "\n\n".join(
    f"Sentence {number} of a long article tells little, and goes on for a while so that it becomes long."
    for number in range(2_300)
)
"""More than 200 kB without a heading: all of it is introduction."""

PAGES: dict[str, dict[str, str]] = {
    "en": {
        # Templates come first: pages are put together when they are imported.
        "Template:IPA": " ",
        "Template:Disambiguation": "''This page lists what a title may mean.''",
        "Assam": "'''Assam''' ({{IPA}}; [[Assamese language|Assamese]]: অসম) is a [[state]] in India. "
        "Dr. B. K. Das lived there.<ref>A note.</ref>\n\nIts largest city is Guwahati.\n\n== History ==\nOld.",
        "Asom": "#REDIRECT [[Assam]]",
        "Kamarupa": "#REDIRECT [[Asom]]",
        "New Delhi": "'''New Delhi''' is the capital of India.",
        "Empty": " ",
        "Only headings": "== One ==\nText below a heading.",
        "Mercury": "'''Mercury''' may refer to:\n* [[Mercury (planet)]]\n* [[Mercury (element)]]\n{{Disambiguation}}",
        "Long": LONG,
        "Talk:Assam": "This is talk.",
    },
    "as": {
        "অসম": "'''অসম''' ([[ইংৰাজী ভাষা|ইংৰাজী]]: Assam) উত্তৰ-পূব ভাৰতৰ এখন ৰাজ্য। ইয়াৰ ৰাজধানী দিছপুৰ।\n\n== ইতিহাস ==\nপুৰণি।",
        "Assam": "#REDIRECT [[অসম]]",
        "ল’ৰা": "'''ল’ৰা''' মানে পুত্ৰ সন্তান।",
        "গড়গাঁও": "'''গড়গাঁও''' আহোমৰ ৰাজধানী আছিল।",
        "ক'লা": "'''ক'লা''' এটা ৰং।",
        "ৰাজ্য": "'''ৰাজ্য''' দেশৰ এটা ভাগ।",
        "পানী (দ্ব্যৰ্থতা)": "'''পানী''' বুলিলে তলৰ বিষয়বোৰ বুজাব পাৰে:\n* [[পানী]]\n* [[পানী পিঠা]]",
        "খালী": " ",
    },
    "bn": {
        "বাংলা ভাষা": "'''বাংলা ভাষা''' একটি ভাষা। এটি বাংলাদেশের ভাষা।",
        "বাংলা": "#REDIRECT [[বাংলা ভাষা]]",
        "রাজ্য": "'''রাজ্য''' একটি বিভাগ।",
    },
}
