"""Passwords joined from words, names, runs and years are easily guessed, and good pass phrases are not."""

from abhidhan.records.password_strength import estimate_strength, is_easily_guessed

COMMON = """
password123;Password1!;iloveyou123;michael1987;manchester1;qwertyuiop;liverpool123;basketball1
superman123;1q2w3e4r5t;password2023;bangladesh123;assam12345;priyanka1990;iloveyouforever
manchesterunited;chocolate1;princess123;sunshine123;1234567890;qwerty12345;abcdef12345;football123
jennifer1;jordan2345;guwahati2024;rahul12345;sachin1234;tendulkar10;1qaz2wsx3edc;asdfghjkl123
passw0rd123;P@ssw0rd2024;welcome12345;letmein123;monkey12345;dragon12345;bhupenhazarika;zubeengarg1
krishna123;jaishriram1;jaishreeram;ganesha123;harekrishna;omnamahshivaya;bismillah786;pakistan123
india12345;mumbaiindians;virat18kohli;royalchallenge;cristiano7;ronaldo123;messi10messi;barcelona10
realmadrid1;juventus123;christopher1;elizabeth1;alexandra1;abcdefghij;zxcvbnm123;qazwsxedc1
123qweasdzxc;11111aaaaa;aaaaabbbbb;0987654321;9876543210;a1b2c3d4e5;loveyou1234;babygirl123
angelina12;samantha12;nicholas99;charlie2020;spiderman1;batman12345;pokemon123;naruto1234;starwars77
harrypotter;hellokitty1;minecraft1;fortnite123;justinbieber;onedirection;blink182blink;metallica1
slipknot666;trustno1trustno1;whatever123;computer123;internet1;samsung123;iphone1234;facebook123
google1234;admin12345;administrator;changeme123;secret1234;test123456;guest12345;rootroot12
adminadmin;passwordpassword;password1password1;qwertyqwerty;sweetheart1;butterfly1;mylove1234
iloveu1234;fuckyou123;motherfucker;brooklyn1;california1;newyork123;arsenal123;chelsea123;12345678910
123456789a;112233445566;147258369a;159753456;789456123a;1122334455;121212121212;123123123123
123321123321;010203040506;19901990;01011990rahul;15081947india;tumimormoina;bhalpaujaanu
moitumakbhalpau;deutadeuta;mamadaddy;moushumi123;rimjhim123;jonali1234;rupjyoti12;dimpy12345
dipankar12;bhaskarjyoti;nilakshi123;gitimoni12;barasha123;kalyani123;tezpur12345;brahmaputra1
kaziranga1;bihubihu12;rangalibihu;rongalibihu;gamosa1234;i love india;password password;happy birthday
hello world 1;love you mom
"""
"""Passwords as they stand in lists of broken ones, and the like for Assam."""

PHRASES = """
correct horse battery
correct horse battery staple
মোৰ ডাঙৰ পাছৱৰ্ড
x7$kQ9!zLmP2
purple elephants dance at noon
the rain fell on my tin roof
সৰু চৰাইটোৱে গছত গান গায়
আইতাই সাধু কয় সন্ধিয়া
river stone lantern quiet
kettle-marble-orchid-sunset
tuba sings loudly underwater
seven geese crossed the bridge
দুটা হাতী নদীত গা ধুলে
মাছৰ টেঙা আৰু লাহী ভাত
vG8q!tR2#mZp
kqzvwtplmx
my aunt sells blue umbrellas
coffee spoon tractor window
gate lamp wheel butter knife
नीली चिड़िया पेड़ पर बैठी
the moon is made of green cheese
wet socks under the old bed
jump over nine sleepy frogs
paper boats sail the gutter
পুখুৰীৰ পাৰত বগলী এটা
dustbin trombone avocado
lemon curtain 48 gravel
mountain-teacup-violin-88
আমাৰ ঘৰৰ বিৰালীটো ক’লা
hazy pigeon borrowed keys
"""


def test_common_passwords_are_easily_guessed() -> None:
    passwords = COMMON.strip().replace("\n", ";").split(";")
    assert [password for password in passwords if not is_easily_guessed(password)] == []


def test_good_phrases_of_any_script_are_not_easily_guessed() -> None:
    assert [phrase for phrase in PHRASES.strip().splitlines() if is_easily_guessed(phrase)] == []


def test_the_names_of_a_person_make_a_password_easily_guessed() -> None:
    assert is_easily_guessed("wqzxkvjtplm1995", ["wqzxkvjtplm"])
    assert is_easily_guessed("gxqzwkvj-1995", ["gxqzwkvj.plmrt"])
    assert not is_easily_guessed("wqzxkvjtplm1995", ["somebody"])


def test_repetition_hardly_makes_a_password_stronger() -> None:
    assert estimate_strength("tiger" * 20) < estimate_strength("tiger") + 5
    assert estimate_strength("a" * 200) < 5
