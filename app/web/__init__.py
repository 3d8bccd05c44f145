"""Floor 3: pages and fragments. A handler finds, does one verb, answers with a fragment.

FastAPI comes in here, before any page: it declares thirty models for OpenAPI, which this site does not offer.
Building what would check them took 45 ms of each start and 2 MB; now it would be built when one is used.
"""

from pydantic import BaseModel

BaseModel.model_config["defer_build"] = True
import fastapi.openapi.models  # noqa: E402, F401

del BaseModel.model_config["defer_build"]
