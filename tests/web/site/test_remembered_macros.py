"""Macros whose HTML is remembered: found by their name and values, they may depend on nothing else."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from jinja2 import DictLoader, Environment, nodes
from jinja2.meta import find_undeclared_variables


class Macros:
    """All macros of the templates, by name, and those that are remembered."""

    def __init__(self, templates: Environment) -> None:
        self.templates = templates
        self.by_name = defaultdict[str, list[nodes.Macro]](list)
        self.remembered_names: set[str] = set()
        for template_name in templates.list_templates(extensions=["html"]):
            assert templates.loader
            source, _, _ = templates.loader.get_source(templates, template_name)
            self.add(templates.parse(source))

    def add(self, template: nodes.Template) -> None:
        for macro in template.find_all(nodes.Macro):
            self.by_name[macro.name].append(macro)
        for call in template.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "remembered":
                macro_name = call.args[0]
                assert isinstance(macro_name, nodes.Name)
                self.remembered_names.add(macro_name.name)

    def used_by(self, name: str, met_names: frozenset[str] = frozenset()) -> Iterator[str]:
        """What a macro, and those that it calls, take from elsewhere than their arguments."""
        [macro] = self.by_name[name]
        template = nodes.Template([macro])
        template.set_environment(self.templates)
        for used_name in find_undeclared_variables(template) - met_names:
            if used_name in self.by_name:
                yield from self.used_by(used_name, met_names | {name})
            elif used_name not in self.templates.globals:
                yield f"{name}: {used_name}"

    def twice_named(self) -> list[str]:
        """The macros that are remembered, and whose name another one has."""
        return [name for name in sorted(self.remembered_names) if len(self.by_name[name]) > 1]

    def strangers(self) -> list[str]:
        """What macros that are remembered take from the page in which they stand."""
        return [used for name in sorted(self.remembered_names) for used in self.used_by(name)]


@pytest.fixture(scope="module")
def macros(app: FastAPI) -> Macros:
    return Macros(app.state.site.templates)


def test_no_other_macro_has_the_name_of_one_that_is_remembered(macros: Macros) -> None:
    assert len(macros.remembered_names) > 5
    assert macros.twice_named() == []


def test_a_macro_that_is_remembered_depends_on_its_values_alone(macros: Macros) -> None:
    assert macros.strangers() == []


def test_both_would_be_seen() -> None:
    pages = {
        "one.html": "{% macro row(text) %}{{ text }}{{ title }}{% endmacro %}{{ remembered(cell, 1) }}",
        "other.html": "{% macro cell(text) %}{{ row(text) }}{{ remembered(row, 1) }}{% endmacro %}",
    }
    templates = Environment(loader=DictLoader(pages), autoescape=True)
    templates.globals["remembered"] = None
    macros = Macros(templates)
    assert macros.strangers() == ["row: title", "row: title"]
    assert macros.twice_named() == []
    macros.add(macros.templates.parse(pages["one.html"]))
    assert macros.twice_named() == ["row"]
