from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_a_side_saves_its_sheet_apart"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="stage",
            field=models.CharField(
                choices=[
                    ("before", "reminded before the deadline"),
                    ("after", "reminded after the deadline"),
                    ("answer", "reminded before the card is agreed by itself"),
                    ("penalty", "points off for a late result"),
                ],
                max_length=7,
            ),
        ),
    ]
