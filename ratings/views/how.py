"""How ratings work, in plain words and with calculators."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import calculators
from ..calculator_forms import (
    ChangeForm,
    EcfGameForm,
    ExpectedForm,
    GradeScaleForm,
    NextGameForm,
    RatingScaleForm,
)


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    """The rules explained; what is typed into a calculator stands in the address."""
    simple = (ExpectedForm, ChangeForm, EcfGameForm, GradeScaleForm, RatingScaleForm)
    forms = [form(request.GET) for form in simple]
    forms.append(NextGameForm(request.GET, reader=request.user, today=timezone.localdate()))
    context = {
        "behind": calculators.behind(),
        "forms": {form.name: form for form in forms},
        "answers": {form.name: form.work_out() for form in forms},
        "section": "how",
    }
    return render(request, "ratings/how.html", context)
