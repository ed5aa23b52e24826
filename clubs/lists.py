"""Lists as pages: fifty rows, searched and sorted in the address; whole as CSV, JSON, Excel."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import cached_property
from django_tables2 import SingleTableView
from django_tables2.data import TableQuerysetData

from . import twins

PAGE_LENGTH = 50


class PagesOfFifty(Paginator):
    """Pages of fixed length: an address asking for `per_page=0`, or for all at once, gets fifty."""

    def __init__(self, object_list, per_page, **kwargs):
        super().__init__(object_list, PAGE_LENGTH, **kwargs)


class Rows(TableQuerysetData):
    """Rows counted as they were before an order joined others to them: that counts slowly."""

    def __init__(self, data):
        super().__init__(data)
        self.unordered = data

    @cached_property
    def count(self) -> int:
        return self.unordered.count()

    def __len__(self):
        return self.count


class ListPage(SingleTableView):
    """A sortable list at one address with its twins.

    A subclass gives `model`, `form_class` (the filters, read from the address), `url_name`,
    `get_rows()` for valid filters, `twin_columns` and `twin_rows()`.
    """

    paginator_class = PagesOfFifty
    form_class: type
    url_name: str
    twin_columns: tuple[str, ...]
    http_method_names = ("get", "head", "options")

    def get_filters(self):
        """The form of the filters, holding what the address asks for."""
        return self.form_class(self.request.GET)

    def get(self, request: HttpRequest, form: str = "") -> HttpResponse:
        self.filters = self.get_filters()
        if not form:
            return super().get(request)
        if not self.filters.is_valid():
            return HttpResponse(
                "".join(f"{line}\n" for line in error_lines(self.filters)),
                status=400,
                content_type="text/plain; charset=utf-8",
            )
        return self.as_file(form)

    def get_queryset(self):
        if not self.filters.is_valid():
            return self.get_nothing()
        return self.get_rows(**self.filters.cleaned_data)

    def get_nothing(self):
        """No rows, for filters that nothing can match; they can be ordered like all others."""
        return self.model.objects.none()

    def get_rows(self, **filters):
        raise NotImplementedError

    def get_table_data(self):
        return Rows(self.object_list)

    def as_file(self, form: str) -> HttpResponse:
        """All matching rows in the order of the page."""
        table = self.table_class(self.get_queryset(), **self.get_table_kwargs())
        order = self.request.GET.getlist(table.prefixed_order_by_field)
        if order:
            table.order_by = order
        return twins.respond(
            form,
            self.twin_rows(table.data.data),
            name=self.file_name(),
            head=self.twin_head(),
            columns=self.twin_columns,
            of_all=self.twin_of_all(),
        )

    def twin_head(self) -> Mapping[str, Any]:
        return {}

    def twin_of_all(self) -> Mapping[str, Any]:
        """What holds of every row (`twins.respond`)."""
        return {}

    def twin_rows(self, rows) -> Iterable[Mapping[str, Any]]:
        raise NotImplementedError

    def file_name(self) -> str:
        """What the files are called."""
        return self.url_name

    def place(self) -> tuple:
        """What stands in the page's own address beside the form of a twin."""
        return ()

    def get_context_data(self, **kwargs):
        context = super().get_context_data(filters=self.filters, **kwargs)
        return {**context, **twin_addresses(self.request, self.url_name, *self.place())}


def twin_addresses(request: HttpRequest, url_name: str, *args) -> dict[str, str]:
    """Where the page's table is as `csv`, `json` and `xlsx`, with the same filters and sort."""
    query = request.GET.copy()
    query.pop("page", None)
    tail = f"?{query.urlencode()}" if query else ""
    return {form: reverse(url_name, args=[*args, form]) + tail for form in twins.FORMATS}


def error_lines(form) -> Iterable[str]:
    """What is wrong with the filters, a line a fault, with the name it has in the address."""
    return (f"{name}: {fault}" for name, faults in form.errors.items() for fault in faults)
