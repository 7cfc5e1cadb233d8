"""Files of systemd and Kubernetes: checked by their own programs where they are, and by schema."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from chunkwright.cli.syntax.service import variable_of
from chunkwright.cli.syntax.setting_options import read
from chunkwright.server import Settings
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import bytes_of

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT, KUBERNETES = DEPLOY / "chunkwright.service", DEPLOY / "kubernetes"
PROGRAM = "/opt/chunkwright/bin/chunkwright"
DRAIN = Settings().drain_timeout

# The oldest and the newest that the schemas of a released package know, of those that have `sleep`.
VERSIONS = ("1.30.0", "1.37.0")
MANIFESTS = ("deployment.yaml", "service.yaml")


def manifest(name: str) -> Any:
    """Return what a file of Kubernetes says."""
    return yaml.safe_load((KUBERNETES / name).read_text("utf-8"))


def container() -> Any:
    return manifest("deployment.yaml")["spec"]["template"]["spec"]["containers"][0]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_is_one_of_kubernetes(name: str, version: str) -> None:
    schemas = pytest.importorskip("kubernetes_validate", reason="has the schemas of Kubernetes")
    schemas.validate(manifest(name), version, strict=True)
    # It tells what is none.
    wrong = manifest(name)
    wrong["spec"]["replica"] = 2
    with pytest.raises(schemas.ValidationError, match="replica"):
        schemas.validate(wrong, version, strict=True)


def test_the_compose_file_is_one_of_the_specification() -> None:
    schema = pytest.importorskip("compose_spec", reason="reads files of Compose by its rules")
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert set(schema.PyCompose.from_yaml(text).service_names()) == {"service", "database"}
    with pytest.raises(ValueError, match="healthchek"):
        schema.PyCompose.from_yaml(text.replace("healthcheck", "healthchek"))


def test_the_parts_of_the_manifests_fit() -> None:
    base = manifest("kustomization.yaml")
    assert set(base) == {"apiVersion", "kind", "resources", "images"}
    assert base["resources"] == [*MANIFESTS]
    labels = {"app.kubernetes.io/name": "chunkwright"}
    deployment = manifest("deployment.yaml")["spec"]
    assert deployment["selector"]["matchLabels"] == labels
    assert deployment["template"]["metadata"]["labels"] == labels
    assert manifest("service.yaml")["spec"]["selector"] == labels
    pod = manifest("deployment.yaml")["spec"]["template"]["spec"]
    assert {each["name"] for each in container()["volumeMounts"]} == {
        each["name"] for each in pod["volumes"]
    }
    pause = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > DRAIN + pause
    probes = {
        name: container()[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness")
    }
    assert probes == {"startup": "/ready", "liveness": "/health"}
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert f"USER {pod['securityContext']['runAsUser']}\n" in dockerfile
    assert all(f"EXPOSE {port['containerPort']}\n" in dockerfile for port in container()["ports"])


def check_variables(variables: dict[str, str], most: int) -> None:
    """Check that variables are settings, and that the processes fit into a limit of memory."""
    known = {variable_of(one): one for one in SETTINGS}
    options = {known[name].name: read(known[name], text, name) for name, text in variables.items()}
    settings = Settings(**options)
    assert settings.max_memory is not None
    assert settings.workers * settings.max_memory < 0.9 * most


def test_the_processes_fit_into_the_memory_of_their_container() -> None:
    variables = {each["name"]: each["value"] for each in container()["env"]}
    check_variables(variables, bytes_of(f"{container()['resources']['limits']['memory']}B"))
    service = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["service"]
    flags = iter(service["command"])
    given = {
        f"CHUNKWRIGHT_SERVE_{flag[2:].replace('-', '_').upper()}": next(flags) for flag in flags
    }
    del given["CHUNKWRIGHT_SERVE_TASKS"]
    check_variables(given, bytes_of(f"{service['mem_limit'].upper()}iB"))


def test_kustomize_makes_the_manifests_whole() -> None:
    if (kubectl := shutil.which("kubectl")) is None:
        pytest.skip("needs kubectl")
    done = subprocess.run(
        [kubectl, "kustomize", str(KUBERNETES)], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    made = {each["kind"]: each for each in yaml.safe_load_all(done.stdout)}
    labels = {"app.kubernetes.io/name": "chunkwright"}
    deployment = made["Deployment"]["spec"]
    assert deployment["selector"]["matchLabels"] == labels
    assert deployment["template"]["metadata"]["labels"] == labels
    assert made["Service"]["spec"]["selector"] == labels
    assert deployment["template"]["spec"]["containers"][0]["image"] == "chunkwright:latest"


def unit() -> dict[str, list[tuple[str, str]]]:
    """Return the settings of the unit, by their sections."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for line in UNIT.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            name, sign, value = line.partition("=")
            assert sign, line
            section.append((name, value))
    return sections


def test_the_unit_is_verified(tmp_path: Path) -> None:
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("needs systemd-analyze")
    # The program is not installed here.
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text("utf-8").replace(PROGRAM, "/bin/true"))
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(copy)], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_starts_the_service_with_settings_that_there_are() -> None:
    found = unit()
    assert found.keys() == {"Unit", "Service", "Install"}
    service = dict(found["Service"])
    program, command, *flags = service["ExecStart"].split()
    assert (program, command) == (PROGRAM, "serve")
    assert set(flags[::2]) <= {"--key-file", *(one.flag for one in SETTINGS)}
    assert float(service["TimeoutStopSec"]) > DRAIN
    variables = dict(
        value.split("=", 1) for name, value in found["Service"] if name == "Environment"
    )
    check_variables(variables, bytes_of(f"{service['MemoryMax']}iB"))
    hardened = {"DynamicUser", "NoNewPrivileges", "PrivateTmp", "ProtectHome", "PrivateDevices"}
    assert all(service[name] == "yes" for name in hardened)
