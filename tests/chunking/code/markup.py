"""Outlines that are expected of markup, style sheets, settings and queries."""

from tests.chunking.code.expected import Expected

MARKUP: dict[str, Expected] = {
    "css": (
        """\
@import "a.css";
:root { --a: 1; }
.a,
.b > c { color: red; &:hover { x: y } }
@media (max-width: 1px) { .c { } }
@keyframes turn { from { } }
@font-face { a: b }
""",
        [
            ("a.css", "import", 1),
            (":root", "block", 2),
            (".a, .b > c", "block", 3),
            (".a, .b > c.&:hover", "block", 4),
            ("@media (max-width: 1px)", "block", 5),
            ("@media (max-width: 1px)..c", "block", 5),
            ("@keyframes turn", "block", 6),
            ("@font-face", "block", 7),
        ],
    ),
    "dockerfile": (
        """\
ARG V=1
FROM python:3 AS build
RUN a \\
  && b

# The second.
FROM debian:12
COPY --from=build a b
CMD ["a"]
""",
        [
            ("build", "block", 2),
            ("debian:12", "block", 7),
        ],
    ),
    "hcl": (
        """\
terraform { required_version = "1" }
resource "aws_instance" "web" {
  ami = 1
  ebs_block_device {
    size { }
  }
}
variable "v" {}
region = "x"
""",
        [
            ("terraform", "block", 1),
            ("resource.aws_instance.web", "block", 2),
            ("resource.aws_instance.web.ebs_block_device", "block", 4),
            ("variable.v", "block", 8),
            ("region", "constant", 9),
        ],
    ),
    "html": (
        """\
<!DOCTYPE html>
<html><head><title>x</title></head>
<body class="q">
<h1 id="top">t</h1>
<div><p>a</p></div>
<script>x()</script>
</body></html>
""",
        [
            ("head", "block", 2),
            ("h1#top", "block", 4),
            ("div", "block", 5),
            ("script", "block", 6),
        ],
    ),
    "sql": (
        """\
CREATE TABLE shop.cart (id int);
CREATE OR REPLACE VIEW totals AS SELECT 1;
CREATE INDEX by_id ON cart (id);
INSERT INTO cart VALUES (1);
SELECT * FROM cart;
UPDATE cart SET id = 1;
DELETE FROM cart;
ALTER TABLE cart ADD COLUMN c int;
CREATE FUNCTION total(a int) RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql;
""",
        [
            ("shop.cart", "block", 1),
            ("totals", "block", 2),
            ("by_id", "block", 3),
            ("cart", "block", 4),
            ("", "block", 5),
            ("cart", "block", 6),
            ("cart", "block", 7),
            ("cart", "block", 8),
            ("total", "function", 9),
        ],
    ),
    "svelte": (
        """\
<script>let a = 1</script>
<h1>x</h1>
{#if a}<p>b</p>{/if}
<style>a {}</style>
""",
        [
            ("script", "block", 1),
            ("h1", "block", 2),
            ("if a", "block", 3),
            ("style", "block", 4),
        ],
    ),
    "toml": (
        """\
title = 1
[tool.black]
line = 1

[[bin]]
name = "a"
[empty]
""",
        [
            ("tool.black", "block", 2),
            ("bin", "block", 5),
            ("empty", "block", 7),
        ],
    ),
    "vue": (
        """\
<template>
  <div>a</div>
</template>
<script setup lang="ts">
const x = 1
</script>
<style scoped>
a { }
</style>
""",
        [
            ("template", "block", 1),
            ("script", "block", 4),
            ("style", "block", 7),
        ],
    ),
    "yaml": (
        """\
# A comment.
name: x
on:
  push:
    branches: [main]
  pull: {}
jobs:
- run: a
---
"second doc": 1
""",
        [
            ("name", "block", 2),
            ("on", "block", 3),
            ("on.push", "block", 4),
            ("on.pull", "block", 6),
            ("jobs", "block", 7),
            ("second doc", "block", 10),
        ],
    ),
}
