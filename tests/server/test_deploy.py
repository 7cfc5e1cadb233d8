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

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 1}
FLAG: dict[str, Any] = {"type": "boolean"}


def shape(*needed: str, **fields: Any) -> dict[str, Any]:
    """Return the schema of an object that has these fields and no others."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(needed),
        "additionalProperties": False,
    }


def listed(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": 1}


AMOUNT = {"type": "string", "pattern": r"^\d+(\.\d+)?(m|Ki|Mi|Gi)?$"}
AMOUNTS = shape(cpu=AMOUNT, memory=AMOUNT)
PROBE = shape(
    "httpGet",
    httpGet=shape("path", "port", path=TEXT, port={"const": "http"}),
    periodSeconds=COUNT,
    timeoutSeconds=COUNT,
    failureThreshold=COUNT,
)
CONTAINER = shape(
    *("name", "image", "ports", "resources", "startupProbe", "readinessProbe", "livenessProbe"),
    name=TEXT,
    image=TEXT,
    envFrom=listed(shape("secretRef", secretRef=shape("name", name=TEXT))),
    env=listed(shape("name", "value", name=TEXT, value=TEXT)),
    ports=listed(shape("containerPort", name=TEXT, containerPort=COUNT)),
    startupProbe=PROBE,
    readinessProbe=PROBE,
    livenessProbe=PROBE,
    lifecycle=shape(preStop=shape(sleep=shape("seconds", seconds=COUNT))),
    resources=shape("requests", "limits", requests=AMOUNTS, limits=AMOUNTS),
    securityContext=shape(
        allowPrivilegeEscalation={"const": False},
        readOnlyRootFilesystem={"const": True},
        capabilities=shape(drop={"const": ["ALL"]}),
    ),
    volumeMounts=listed(shape("name", "mountPath", name=TEXT, mountPath=TEXT)),
)
POD = shape(
    "containers",
    automountServiceAccountToken={"const": False},
    terminationGracePeriodSeconds=COUNT,
    securityContext=shape(
        runAsNonRoot={"const": True},
        runAsUser=COUNT,
        fsGroup=COUNT,
        seccompProfile=shape("type", type={"const": "RuntimeDefault"}),
    ),
    containers=listed(CONTAINER),
    volumes=listed(shape("name", "emptyDir", name=TEXT, emptyDir=shape())),
)
META = shape("name", name=TEXT)
SCHEMAS = {
    "deployment.yaml": shape(
        *("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "apps/v1"},
        kind={"const": "Deployment"},
        metadata=META,
        spec=shape("template", replicas=COUNT, template=shape("spec", spec=POD)),
    ),
    "service.yaml": shape(
        *("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "v1"},
        kind={"const": "Service"},
        metadata=META,
        spec=shape("ports", ports=listed(shape("port", name=TEXT, port=COUNT, targetPort=TEXT))),
    ),
    "kustomization.yaml": shape(
        *("apiVersion", "kind", "resources"),
        apiVersion={"const": "kustomize.config.k8s.io/v1beta1"},
        kind={"const": "Kustomization"},
        resources=listed(TEXT),
        labels=listed(shape("pairs", includeSelectors=FLAG, pairs={"type": "object"})),
        images=listed(shape("name", name=TEXT, newTag=TEXT)),
    ),
}


def manifest(name: str) -> Any:
    """Return what a file of Kubernetes says."""
    return yaml.safe_load((KUBERNETES / name).read_text("utf-8"))


def container() -> Any:
    return manifest("deployment.yaml")["spec"]["template"]["spec"]["containers"][0]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_manifest_has_the_fields_that_there_are(name: str) -> None:
    schemas = pytest.importorskip("jsonschema", reason="checks manifests")
    schemas.validate(manifest(name), SCHEMAS[name])
    assert {path.name for path in KUBERNETES.iterdir()} == SCHEMAS.keys()


def test_the_parts_of_the_manifests_fit() -> None:
    assert set(manifest("kustomization.yaml")["resources"]) == {"deployment.yaml", "service.yaml"}
    pod = manifest("deployment.yaml")["spec"]["template"]["spec"]
    assert {each["name"] for each in container()["volumeMounts"]} == {
        each["name"] for each in pod["volumes"]
    }
    pause = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > DRAIN + pause
    probes = {name: container()[f"{name}Probe"] for name in ("startup", "readiness", "liveness")}
    paths = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert paths == {"startup": "/ready", "readiness": "/ready", "liveness": "/health"}
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
    called = {one.flag: str(variable_of(one)) for one in SETTINGS}
    given = {called[flag]: next(flags) for flag in flags}
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
