"""A form over a `FormModel`: fields, and the same arguments as JSON."""

from inspector.tui.widgets.schema_form.fields import Fields
from inspector.tui.widgets.schema_form.form import SchemaForm

__all__ = ["Fields", "SchemaForm"]
