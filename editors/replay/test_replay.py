"""Recorded sessions of an editor, replayed by a client library that is not ours.

Each file in `sessions/` has the files of a folder and the steps of a client. The library builds every request from its types and
reads every answer into its types, so an answer that the protocol does not allow fails, whatever the recording says. Of lists in
answers, the first entries are recorded. `.ci/editors PROGRAM` runs this; HOUSERULE_RECORD=1 writes the answers anew.
"""

import asyncio
import json
import os
import pathlib
import re

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, client_capabilities

SESSIONS = pathlib.Path(__file__).parent / "sessions"
CLIENTS = ["visual_studio_code", "neovim"]
LISTED = 4
CONVERTER = get_converter()


def outside(value, root):
    """A value without the folder that this run was in, and with the first entries of its lists alone."""
    if isinstance(value, dict):
        return {outside(key, root): outside(entry, root) for key, entry in value.items()}
    if isinstance(value, list):
        return [outside(entry, root) for entry in value[:LISTED]]
    if isinstance(value, str):
        # Copies of built-in files lie in a folder for each version of the program.
        plain = value.replace(root, "ROOT").replace(root.removeprefix("file://"), "FOLDER")
        return re.sub(r"built-in/[0-9.]+/", "built-in/VERSION/", plain)
    return value


def inside(value, root):
    return json.loads(json.dumps(value).replace("ROOT", root))


async def replayed(client, session, root):
    """Takes the steps of a session, and gives the answers that came."""
    for step in session["steps"]:
        if "tell" in step:
            kind = types.METHOD_TO_TYPES[step["tell"]][2]
            params = CONVERTER.structure(inside(step["params"], root), kind)
            client.protocol.notify(step["tell"], params)
        elif "ask" in step:
            kind = types.METHOD_TO_TYPES[step["ask"]][2]
            params = CONVERTER.structure(inside(step["params"], root), kind)
            asked = client.protocol.send_request_async(step["ask"], params)
            answer = await asyncio.wait_for(asked, 60)
            yield step, outside(CONVERTER.unstructure(answer), root)
        else:
            uri = inside(step["findings"], root)
            while uri not in client.diagnostics:
                told = client.wait_for_notification("textDocument/publishDiagnostics")
                await asyncio.wait_for(told, 60)
            found = client.diagnostics.pop(uri)
            yield step, outside(CONVERTER.unstructure(found), root)


@pytest.mark.asyncio
@pytest.mark.parametrize("spec", CLIENTS)
@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.json")), ids=lambda path: path.stem)
async def test_session(path, spec, tmp_path, monkeypatch):
    session = json.loads(path.read_text(encoding="utf-8"))
    root = tmp_path.resolve()
    for name, text in session["files"].items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    # The program looks for rules around the folder that it is started in, too.
    monkeypatch.chdir(root)
    home = root / "home"
    home.mkdir()
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_DATA_HOME": str(home / "data")}
    command = [os.environ["HOUSERULE"], "lsp"]
    client = await ClientServerConfig(server_command=command, server_env=environment).start()
    try:
        options = {"play": False, "debug": True}
        params = types.InitializeParams(
            capabilities=client_capabilities(spec), root_uri=root.as_uri(), initialization_options=options
        )
        await client.initialize_session(params)
        recorded = []
        async for step, answer in replayed(client, session, root.as_uri()):
            if os.environ.get("HOUSERULE_RECORD") and spec == CLIENTS[0]:
                step["answer"] = answer
            elif spec == CLIENTS[0]:
                assert answer == step["answer"], json.dumps(step, ensure_ascii=False)
            # Other clients are answered by what they can do, in whatever the types allow.
            recorded.append(answer)
        assert recorded
        if os.environ.get("HOUSERULE_RECORD") and spec == CLIENTS[0]:
            text = json.dumps(session, ensure_ascii=False, indent=1)
            path.write_text(text + "\n", encoding="utf-8")
        await client.shutdown_session()
    finally:
        # Also where something failed, the server ends.
        client.protocol.notify("exit", None)
        await asyncio.wait_for(client.stop(), 60)
