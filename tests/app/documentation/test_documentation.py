import re
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from typing import Annotated, Any

import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Example, OpenAPI
from litestar.params import JSONBody, PathParameter, QueryParameter

from abhidhan.app.api_handlers import REST_HANDLERS
from abhidhan.app.asgi import describe_api
from abhidhan.app.documentation.handlers import build_documentation, build_documentation_handlers, build_try_address
from abhidhan.app.documentation.openapi import describe_handlers, iter_operations
from abhidhan.app.documentation.page import build_operation_values, detect_language, format_code, render_operations
from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.assets import asset_address
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.problem_kinds import PROBLEM_KINDS
from abhidhan.platform.http.rendering import Pages
from abhidhan.records.errors import InputError, NotFoundError
from abhidhan.records.submission_payloads import ProverbSubmission, WordSubmission
from tests.support.asgi import ask
from tools.make_fonts import API_EXAMPLES, LABELS


@post("/api/approve")
async def show_submission_approved(data: JSONBody[WordSubmission | ProverbSubmission | None] = None) -> None:
    """Stand for an address whose body may be left out."""
    assert data is None


def handlers() -> list[HTTPRouteHandler]:
    @get("/api/dic.php", tags=["Look-up"], summary="Look up a `word`")
    async def look_up(
        word: Annotated[
            str,
            QueryParameter(
                name="w",
                min_length=1,
                max_length=200,
                description="A word <b>.",
                examples=[Example(summary="water", value="পানী"), Example(summary="roman", value="pani")],
            ),
        ],
        pos: Annotated[int | None, QueryParameter(name="p", ge=1, description="POS")] = None,
        lim: Annotated[int, QueryParameter(ge=1, description="How many.")] = 50,
    ) -> dict[str, str]:
        """Find it."""
        return {"found": f"{word}{pos}{lim}"}

    @get("/api/tlipi.php")
    async def read(pa: Annotated[str, QueryParameter(min_length=1)]) -> dict[str, str]:
        return {"input": pa}

    @get("/api/words/{word_id:int}")
    async def show(word_id: Annotated[int, PathParameter(description="The ID.")]) -> dict[str, int]:
        return {"id": word_id}

    @post("/api/submit-foto.php", tags=["Photos"])
    async def submit() -> None: ...

    return [look_up, read, show, submit]


def a_document() -> OpenAPI:
    return describe_handlers(handlers(), version="1.2.3")


def an_edge(more: Sequence[HTTPRouteHandler] = ()) -> Edge:
    async def version() -> int:
        return 1

    pages = Pages()
    app = Litestar(
        [*handlers(), *build_documentation_handlers(cache(lambda: build_documentation(a_document()))), *more],
        openapi_config=None,
        logging_config=None,
        exception_handlers=build_exception_handlers(),
        dependencies={"pages": Provide(lambda: pages, sync_to_thread=False)},
    )
    return Edge(app, get_version=version, route_tree=RouteTree(app.routes))


def the_schema() -> Any:  # noqa: ANN401 (JSON)
    answer = ask(an_edge(), "/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    return answer.json


@cache
def the_whole_schema() -> Any:  # noqa: ANN401 (JSON)
    return describe_api().to_schema()


def test_the_document_is_openapi_31_with_examples_in_assamese() -> None:
    schema = the_schema()
    word = schema["paths"]["/api/dic.php"]["get"]["parameters"][0]

    assert schema["openapi"].startswith("3.1")
    assert schema["info"]["version"] == "1.2.3"
    assert [each["value"] for each in word["examples"].values()] == ["পানী", "pani"]


def test_every_operation_documents_its_problems_as_problem_documents() -> None:
    schema = the_schema()
    for path, item in schema["paths"].items():
        for operation in item.values():
            statuses = {status for status in operation["responses"] if status >= "400"}
            assert {"400", "404", "405", "429", "500", "503"} <= statuses
            assert ({"401", "403", "409"} <= statuses) == (path == "/api/submit-foto.php")
            for status in statuses:
                assert operation["responses"][status] == {"$ref": f"#/components/responses/Problem{status}"}
    for status in PROBLEM_KINDS:
        content = schema["components"]["responses"][f"Problem{status}"]["content"]
        name = "Conflict" if status == 409 else "Problem"
        assert content == {"application/problem+json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    conflict = schema["components"]["schemas"]["Conflict"]["allOf"][1]["properties"]
    assert set(conflict) == {"current", "proposed"}


def test_the_document_says_which_operations_need_a_session_and_which_roles() -> None:
    described = the_whole_schema()

    def needed(method: str, path: str) -> object:
        return described["paths"][path][method].get("security")

    assert described["components"]["securitySchemes"]["token"] | {"description": ""} == {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "abhidhan_...",
        "description": "",
    }
    assert described["components"]["securitySchemes"]["session"] | {"description": ""} == {
        "type": "apiKey",
        "in": "cookie",
        "name": "abhidhan",
        "description": "",
    }
    everybody = ["reader", "contributor", "editor", "administrator"]
    assert needed("get", "/api/dic.php") is None
    assert needed("post", "/api/session") is None
    assert needed("post", "/api/lookup") is None
    assert needed("get", "/api/account/sessions") == [{"session": everybody}]
    by_any = {"token": ["contribute", "review", "edit"]}
    assert needed("post", "/api/reports") == [{}, {"session": everybody}, by_any]
    assert needed("get", "/photos/{name}") == [{}, {"session": everybody}, by_any]
    assert needed("get", "/api/session") == [{"session": everybody}, by_any]
    by_contributors = {"token": ["contribute"]}
    assert needed("post", "/api/submit-foto.php") == [{"session": everybody}, by_contributors]
    assert needed("post", "/api/submissions") == [{"session": everybody[1:]}, by_contributors]
    assert needed("get", "/api/photos/{photo_id}") == [{"session": everybody}, {"token": ["contribute", "review"]}]
    assert needed("post", "/api/photos/{photo_id}/approve") == [{"session": everybody[2:]}, {"token": ["review"]}]
    assert needed("patch", "/api/editing/words/{record_id}") == [{"session": everybody[2:]}, {"token": ["edit"]}]


def test_an_answer_without_content_is_described_as_one() -> None:
    empty = [
        operation["responses"]["204"]
        for item in the_whole_schema()["paths"].values()
        for operation in item.values()
        if "204" in operation["responses"]
    ]

    assert len(empty) > 5
    assert not [answer for answer in empty if "content" in answer]


def test_bodies_are_described_with_the_limits_of_their_fields() -> None:
    described = the_whole_schema()
    shapes = described["components"]["schemas"]

    def field(shape: str, name: str) -> Any:  # noqa: ANN401 (a part of a JSON schema)
        return shapes[shape]["properties"][name]

    assert field("WordChanges", "word")["oneOf"][0]["maxLength"] == 200
    assert field("IdeaData", "contexts")["maxItems"] == 20
    assert {"type": "integer", "minimum": 0, "maximum": 2147483647} in field("IdeaData", "contexts")["items"]["oneOf"]
    assert field("WordData", "frequency")["oneOf"][0] == {"type": "number", "minimum": 0, "maximum": 1_000_000}
    assert field("PasswordChange", "new_password")["minLength"] == 10


def test_every_shape_that_takes_no_other_keys_is_described_so() -> None:
    shapes = the_whole_schema()["components"]["schemas"]
    modules = [
        import_module(name)
        for name in {each.fn.__module__ for each in REST_HANDLERS if isinstance(each, HTTPRouteHandler)}
    ]
    strict = {
        name
        for module in modules
        for name, shape in vars(module).items()
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct)
        if shape.__struct_config__.forbid_unknown_fields
    }

    assert {"LookupRequest", "WordData", "WordChanges"} <= strict
    edits = {name for name in shapes if name.endswith("Edit")}
    assert len(edits) == 6
    strict |= edits
    assert [name for name in strict & shapes.keys() if shapes[name].get("additionalProperties") is not False] == []


def test_the_state_of_a_conflicting_record_may_be_null() -> None:
    state = the_whole_schema()["components"]["schemas"]["ConflictingRecord"]["properties"]["state"]

    assert state["type"] == ["object", "null"]


def test_statuses_of_files_feeds_and_copies_are_described() -> None:
    paths = the_whole_schema()["paths"]

    def statuses(path: str, method: str = "get") -> set[str]:
        return {"200", "206", "304", "410", "412", "416", "503"} & set(paths[path][method]["responses"])

    assert statuses("/recordings/{name}") == {"200", "206", "304", "416", "503"}
    assert (
        statuses("/photos/{name}") == statuses("/today.xml") == statuses("/packs/packs.json") == {"200", "304", "503"}
    )
    assert statuses("/api/packs/{pair}/changes") == statuses("/api/changes") == {"200", "410", "503"}
    assert statuses("/api/account/lists", "put") == {"200", "412", "503"}
    assert statuses("/health/ready") == {"200", "503"}
    assert "application/atom+xml" in paths["/today.xml"]["get"]["responses"]["200"]["content"]
    assert "/packs/{pair}/{name}" in paths


def test_the_lists_that_can_be_edited_are_described() -> None:
    for path in ("/api/editing/lists/{name}", "/api/editing/lists/{name}/{record_id}"):
        operation = next(iter(the_whole_schema()["paths"][path].values()))
        name = next(each for each in operation["parameters"] if each["name"] == "name")
        assert sorted(name["schema"]["enum"]) == ["CTX", "FJCAT", "GEN", "POS", "RIC", "VRT"]


def test_operations_list_the_problems_of_permissions_and_conflicts() -> None:
    described = the_whole_schema()

    def problems(method: str, path: str) -> set[str]:
        return {"401", "403", "409", "415"} & set(described["paths"][path][method]["responses"])

    assert problems("get", "/api/words") == set()
    assert problems("get", "/api/photos") == {"401", "403"}
    assert problems("post", "/api/photos/{photo_id}/approve") == {"401", "403", "409"}
    assert problems("post", "/api/photos/{photo_id}/reject") == {"401", "403", "409", "415"}
    assert problems("post", "/api/submit-foto.php") == {"401", "403", "409", "415"}
    assert problems("delete", "/api/editing/words/{record_id}") == {"401", "403", "409"}
    assert set(described["paths"]["/api/submit-foto.php"]["post"]["requestBody"]["content"]) == {"multipart/form-data"}


def test_operations_that_write_mention_a_full_disk() -> None:
    writing = [
        (method, path)
        for path, item in the_whole_schema()["paths"].items()
        for method, operation in item.items()
        if method != "get" and path != "/api/lookup" and "507" not in operation["responses"]
    ]

    assert writing == []


def test_request_headers_are_described_where_they_have_an_effect() -> None:
    headers = {
        (method, path): parameter["name"]
        for path, item in the_whole_schema()["paths"].items()
        for method, operation in item.items()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header"
    }

    assert headers == {
        ("post", "/api/submit-foto.php"): "Idempotency-Key",
        ("post", "/api/recordings"): "Idempotency-Key",
        ("post", "/api/submissions"): "Idempotency-Key",
        ("put", "/api/account/lists"): "If-Match",
    }


def test_no_key_that_fields_can_omit_is_required() -> None:
    described = the_whole_schema()
    schemas = described["components"]["schemas"]
    required = {
        name: schemas[name].get("required") for name in ("Word", "Meaning", "CodedWord", "CodedMeaning", "Idea")
    }

    assert required == dict.fromkeys(required)
    assert schemas["FoundWord"]["required"] == ["match", "score"]


def test_responses_and_schemas_have_descriptions_for_readers() -> None:
    described = the_whole_schema()
    responses = {
        status: answer["description"]
        for status, answer in described["paths"]["/api/account/lists"]["delete"]["responses"].items()
        if "description" in answer
    }
    schemas = described["components"]["schemas"]

    assert responses == {"204": "Success; the response has no body."}
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [name for name, schema in schemas.items() if "\n " in schema["description"]] == []
    assert "null at the end" in schemas["WordList"]["description"]


def test_an_optional_body_is_described_as_optional() -> None:
    described = describe_handlers([show_submission_approved], version="1").to_schema()

    body = described["paths"]["/api/approve"]["post"]["requestBody"]

    assert body["required"] is False
    shapes = body["content"]["application/json"]["schema"]["oneOf"]
    assert [each.get("type") for each in shapes if "type" in each] != ["null"]


def test_a_query_has_no_null_no_control_characters_and_no_maximum() -> None:
    word, pos, lim = the_schema()["paths"]["/api/dic.php"]["get"]["parameters"]

    assert pos["schema"]["type"] == lim["schema"]["type"] == "integer"
    assert "oneOf" not in pos["schema"]
    assert "maximum" not in lim["schema"]
    pattern = re.compile(word["schema"]["pattern"])
    assert [bool(pattern.search(text)) for text in ("ৰঙা পানী", "a\tb", "a\x00b", " ", "a\u0085")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_unknown_addresses_beside_the_documentation_are_problem_documents() -> None:
    assert ask(an_edge(), "/api/unknown").json["status"] == 404
    assert ask(an_edge(), "/api/docs/unknown").json["status"] == 404


class Page(HTMLParser):
    """What a test wants to know of a page."""

    def __init__(self) -> None:
        """Begin with an empty page."""
        super().__init__()
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id" and value]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """List the attributes of each tag of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


def the_page(query: str = "") -> tuple[Page, str]:
    answer = ask(an_edge(), "/api/docs", query)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = Page()
    page.feed(answer.body.decode())
    return page, answer.body.decode()


def test_the_page_needs_no_outside_host_and_nothing_inline() -> None:
    page, text = the_page()
    loaded = [tag for name in ("a", "link", "script") for tag in page.all(name) if tag.get("rel") != "canonical"]
    addresses = [tag.get("href") or tag.get("src") for tag in loaded]

    assert all(address and address[0] in "/#" for address in addresses)
    assert "<style" not in text
    assert not [
        attributes
        for _, attributes in page.tags
        if any(name == "style" or name.startswith("on") for name in attributes)
    ]
    for path, kind in (("/api/docs/docs.css", "text/css"), ("/api/docs/docs.js", "text/javascript")):
        assert path in addresses
        assert ask(an_edge(), path).headers["content-type"] == f"{kind}; charset=utf-8"


def test_the_page_has_the_style_and_the_links_of_all_pages() -> None:
    page, _ = the_page()
    links = {(link.get("rel"), link.get("href")) for link in page.all("link")}

    assert ("stylesheet", asset_address("style.css")) in links
    assert ("icon", asset_address("icon.svg")) in links
    assert {str(link["href"]) for link in page.all("a")} >= {"/", "/browse", "/proverbs", "/about"}


def test_the_page_is_in_the_readers_language_with_the_search_box() -> None:
    page, text = the_page("interface=as")

    assert '<html lang="as"' in text
    assert {"action": "/search", "role": "search"}.items() <= page.all("form")[0].items()
    assert "ঠিকনাবোৰৰ বৰ্ণনা ইংৰাজীত" in text
    assert "Try it" not in text
    assert '<span lang="en" dir="ltr">Look up a <code>word</code></span>' in text


def test_every_group_of_addresses_has_an_assamese_name(everything: tuple[OpenAPI, str]) -> None:
    document, text = everything

    tags = {tag for _, _, operation in iter_operations(document) for tag in operation.tags or ()}
    assert len(tags) > 10
    assert [tag for tag in tags if f">{tag}</h2>" in text] == []


@pytest.fixture(scope="module")
def everything() -> tuple[OpenAPI, str]:
    """Describe all addresses, and write them in Assamese."""
    document = describe_api()
    return document, render_operations(build_operation_values(document), "as")


def test_the_font_for_labels_has_every_example_in_assamese() -> None:
    edge = an_edge()
    guide = ask(edge, "/api/docs/build-an-app").body.decode()
    texts = (
        render_operations(build_operation_values(describe_api()), "en"),
        guide.partition("<main")[2].partition("</main>")[0],
    )
    found = {run for text in texts for run in re.findall("[\u0964\u0980-\u09ff]+", text)}
    known = {run for text in (*LABELS, *API_EXAMPLES) for run in text.split()}

    assert len(found) > 10
    assert found - known == set(), "add them to API_EXAMPLES in tools/make_fonts.py, and make the fonts of pages"


def test_every_link_within_the_page_has_a_target_and_ids_are_unique() -> None:
    page, _ = the_page()
    targets = {str(link["href"])[1:] for link in page.all("a") if str(link["href"]).startswith("#")}

    assert targets <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert {f"problem-{kind.name}" for kind in PROBLEM_KINDS.values()} <= set(page.ids)


def test_every_field_has_a_label_and_forms_work_without_javascript() -> None:
    page, text = the_page()
    visible = [field for field in page.all("input") if field.get("type") != "hidden" and "aria-label" not in field]

    assert {label["for"] for label in page.all("label")} == {field["id"] for field in visible}
    assert [form["action"] for form in page.all("form")] == [
        "/search",
        "/api/dic.php",
        "/api/tlipi.php",
        "/api/docs/try",
    ]
    assert {"name": "address", "type": "hidden", "value": "/api/words/{word_id}"} in page.all("input")
    assert 'lang="as"' in text
    assert "A word &lt;b&gt;." in text
    assert "Look up a <code>word</code>" in text


def test_a_form_for_an_address_with_a_number_in_its_path_leads_there() -> None:
    answer = ask(an_edge(), "/api/docs/try", "address=/api/words/%7Bword_id%7D&word_id=5&x=y+z")

    assert (answer.status, answer.headers["location"]) == (303, "/api/words/5?x=y+z")
    assert answer.headers["cache-control"] == "no-store"


def test_a_form_never_leads_to_an_unknown_address() -> None:
    addresses = frozenset({"/a/{b}"})

    values: dict[str, str]
    for values in ({}, {"address": "https://elsewhere.example"}):
        with pytest.raises(NotFoundError):
            build_try_address(addresses, values)
    with pytest.raises(InputError):
        build_try_address(addresses, {"address": "/a/{b}"})
    assert build_try_address(addresses, {"address": "/a/{b}", "b": "../x?y#z"}) == "/a/..%2Fx%3Fy%23z"


def test_code_and_examples_of_a_description_are_marked_and_escaped() -> None:
    assert format_code("a `b<` <c>") == "a <code>b&lt;</code> &lt;c&gt;"
    assert [detect_language(text) for text in ("পানী", "पानी", "pani")] == ["as", "hi", ""]
