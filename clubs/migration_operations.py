"""What the migrations do beside Django's own operations."""

from django.db.migrations.operations.base import Operation


class Together(Operation):
    """Several operations whose models are drawn up once, after the last of them.

    By itself Django draws a model and its relatives up anew after each operation, and nearly
    all our models are relatives: an empty database took a minute so. It suits what looks at the
    final models alone, like the making of tables with all their columns, and of their triggers.
    """

    reduces_to_sql = True

    def __init__(self, operations):
        self.operations = operations

    def state_forwards(self, app_label, state):
        state.__dict__.pop("apps", None)  # else each operation renders the models again
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, to_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, from_state)

    def describe(self):
        return f"{len(self.operations)} operations together"
