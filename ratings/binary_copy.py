"""PostgreSQL's binary COPY of whole columns: arrays out of it, the rows of games into it."""

from collections.abc import Iterable, Iterator

import numpy as np

from ratings.game_arrays import AT_ONCE, EloArrays

COPY_START = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"
ARRAY_HEADER = 20  # bytes
ARRAY_ITEM = np.dtype([("size", ">i4"), ("value", ">i8")])
# What each column of `EloArrays` takes there, in bytes.
ROW_SIZES = (8, *(4, 4, 2, 4, 2) * 2)


def unpacked(copies: Iterable[bytes]) -> list[np.ndarray]:
    """What copies of one row of arrays of 8 bytes hold: a whole number, then pairs of halves.

    A null is an empty array.
    """
    parts = [_arrays(copy) for copy in copies]
    whole, *pairs = (np.concatenate(column) for column in zip(*parts, strict=True))
    columns = [whole]
    for pair in pairs:
        low = pair.astype(np.int32)
        columns += [((pair - low) >> 32).astype(np.int32), low]
    return columns


def _arrays(copy: bytes) -> list[np.ndarray]:
    arrays = []
    at = len(COPY_START) + 2
    for _ in range(int.from_bytes(copy[at - 2 : at])):
        length = max(0, int.from_bytes(copy[at : at + 4], signed=True))
        at += 4
        count = max(0, length - ARRAY_HEADER) // ARRAY_ITEM.itemsize
        read = np.frombuffer(copy, ARRAY_ITEM, count, at + ARRAY_HEADER if count else 0)
        arrays.append(read["value"].astype(np.int64))
        at += length
    return arrays


def packed(rows: EloArrays) -> Iterator[bytes]:
    """The rows as a binary copy, piece by piece."""
    record = [("fields", ">i2")]
    for n, size in enumerate(ROW_SIZES):
        record += [(f"size{n}", ">i4"), (f"value{n}", f">i{size}")]
    records = np.empty(min(AT_ONCE, len(rows.game_id)), dtype=record)
    records["fields"] = len(ROW_SIZES)
    for n, size in enumerate(ROW_SIZES):
        records[f"size{n}"] = size
    yield COPY_START
    for start in range(0, len(rows.game_id), AT_ONCE):
        count = min(AT_ONCE, len(rows.game_id) - start)
        for n, column in enumerate(rows):
            records[f"value{n}"][:count] = column[start : start + count]
        yield records[:count].tobytes()
    yield COPY_END
