"""How far the counts of samples may lie from what they should be."""


def chi_square(counts, weights):
    """Pearson's statistic of some counts, against frequencies proportional to weights."""
    total, mass = sum(counts.values()), sum(weights.values())
    return sum((counts[key] - total * weight / mass) ** 2 * mass / (total * weight) for key, weight in weights.items())


def far(freedom):
    """A bound for the statistic that chance alone passes in fewer than one of ten thousand runs."""
    z = 3.9
    return freedom * (1 - 2 / (9 * freedom) + z * (2 / (9 * freedom)) ** 0.5) ** 3
