"""What the documentation says of the form with a recording, which the server reads piece by piece itself."""

from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType

from abhidhan.domain.recordings import LONGEST_PLACE, LONGEST_SPEAKER
from abhidhan.web.arguments import SOME_TEXT
from abhidhan.web.file_forms import MULTIPART


@dataclass
class RecordingForm(Operation):
    """Documents the form."""

    def __post_init__(self) -> None:
        """Describe the fields."""
        schema = Schema(
            type=OpenAPIType.OBJECT,
            required=["consent", "recording"],
            one_of=[
                Schema(required=["wordID"]),
                Schema(required=["phraseID"]),
                Schema(required=["ideaID", "example"]),
            ],
            properties={
                "wordID": _number("The word that is said."),
                "phraseID": _number("Instead of it: the phrase that is said."),
                "ideaID": _number("Instead of both, with `example`: the idea that has the example."),
                "example": Schema(type=OpenAPIType.STRING, pattern=SOME_TEXT, description="The text of that example."),
                "speaker": _text("Who speaks, if they wish to be named.", LONGEST_SPEAKER),
                "place": _text("Where people speak so, if it shall be told.", LONGEST_PLACE),
                "consent": Schema(
                    type=OpenAPIType.STRING,
                    enum=["yes"],
                    description="That the speaker agrees that everyone may hear and share the recording.",
                ),
                "recording": Schema(
                    type=OpenAPIType.STRING,
                    format=OpenAPIFormat.BINARY,
                    description="A WAV, FLAC, Ogg or MP3 file of at most 5 MB and 15 seconds of speech.",
                ),
                "licence": _text(
                    "The licence of contributions as the sender has read it; a recording sent under another one than "
                    "the server's is refused."
                ),
            },
        )
        self.request_body = RequestBody(required=True, content={MULTIPART: OpenAPIMediaType(schema=schema)})


def _number(description: str) -> Schema:
    return Schema(type=OpenAPIType.INTEGER, minimum=1, description=description)


def _text(description: str, longest: int | None = None) -> Schema:
    return Schema(type=OpenAPIType.STRING, max_length=longest, description=description)
