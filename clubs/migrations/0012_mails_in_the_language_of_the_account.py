from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0011_players_are_erased"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Chosen on the pages; without one the site’s.",
                max_length=10,
                verbose_name="language of mails",
            ),
            preserve_default=False,
        ),
    ]
