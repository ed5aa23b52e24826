"""FIDE's two conversion tables as data (Handbook B.02, articles 8.1.1 and 8.1.2).

They are tables and not a formula: 8.1.2 leaves the normal curve at six values.
"""

# 8.1.2: the largest difference of ratings at which the higher rated player expects
# 50, 51, ... 99 per cent. Above the last one he expects 100 per cent.
LARGEST_DIFFERENCES = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)

# 8.1.1: the difference of ratings that a score of 50, 51, ... 100 per cent stands for.
DIFFERENCES_BY_PERCENT = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)


def expected_percent_by_difference():
    """Return what the higher rated player expects, in per cent, by difference 0, 1, ... 736.

    The last entry (100) holds for every greater difference as well. Source: table 8.1.2.
    """
    percents = []
    for percent, largest in enumerate(LARGEST_DIFFERENCES, start=50):
        percents += [percent] * (largest + 1 - len(percents))
    return (*percents, 100)


def rating_difference(percent):
    """Return the difference of ratings that a score of so many per cent stands for.

    `percent` is whole, 0 to 100; below 50 the difference is negative. Raises ValueError
    outside that range. Source: table 8.1.1.
    """
    if percent not in range(101):
        raise ValueError(f"a score is a whole number of per cent from 0 to 100, not {percent!r}")
    if percent < 50:
        return -DIFFERENCES_BY_PERCENT[50 - percent]
    return DIFFERENCES_BY_PERCENT[percent - 50]
