import sys; sys.path.insert(0,"/work/scratch/a53")
from functools import partial
from tests.eval.test_forms import *
def test_x(whole_dictionary):
    from dump import W, headword
    from assamese.paradigms import RULES
    want=set(t for t in W if headword(t).kinds&{Kind.TRANSITIVE,Kind.OTHER_VERB,Kind.PRONOUN}) | set(RULES.kin.words)
    ids=[i for i,t in assamese_words(whole_dictionary) if t in want]
    print(len(ids))
    out=whole_dictionary.read_now(partial(lost, word_ids=ids, language_id=ASSAMESE))
    print("LOST",out)
    out=whole_dictionary.read_now(partial(lost, word_ids=ids[::4], language_id=ALL_LANGUAGES))
    print("LOSTALL",out)
