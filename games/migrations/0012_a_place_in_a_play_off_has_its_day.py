from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_rules_of_cards_and_what_breaks_them"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="team",
            name="games_team_play_off_place_with_its_day",
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("play_off_on__isnull", True), ("play_off_place__isnull", True)),
                    models.Q(
                        ("play_off_on__isnull", False),
                        ("play_off_place__gte", 1),
                        ("play_off_place__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="games_team_play_off_place_with_its_day",
            ),
        ),
    ]
