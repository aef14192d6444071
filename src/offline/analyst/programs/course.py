import json, statistics
short = lambda v: float(f"{v:.12g}")
at = lambda p: None if p is None else [short(p[1]), p[0]]
def figures(points, begin, end):
    own = [p for p in points if (begin is None or p[0] >= begin) and (end is None or p[0] < end)]
    if not own:
        earlier = [p for p in points if begin is not None and p[0] < begin]
        return {"count": 0, "earlier": at(earlier[-1] if earlier else None)}
    values = [v for _, v in own]
    ends = sorted(own, key=lambda p: p[1])
    return {
        "count": len(own), "low": at(ends[0]), "high": at(ends[-1]), "first": at(own[0]), "last": at(own[-1]),
        "lows": sum(v == ends[0][1] for v in values) - 1, "highs": sum(v == ends[-1][1] for v in values) - 1,
        "points": [at(p) for p in own[-MOST_LISTED:]],
        "mean": short(statistics.mean(values)), "median": short(statistics.median(values)),
        "stdev": short(statistics.stdev(values)) if len(own) > 1 else None,
    }
def course(kept, before=None):
    flip = IS_ERROR
    whole = 100 if kept["display_unit"] == "%" else 1
    by = {}
    for p in (before["timeseries"] if before else []) + kept["timeseries"]:
        if isinstance(p["v"], (int, float)):
            v = p["v"] * kept["scale"]
            by.setdefault(p["qid"], []).append((p["t"], whole - v if flip else v))
    parts = [e["qid"] for e in kept.get("qubits", kept.get("couplings", []))]
    return {"metric": kept["parameter_name"], "unit": kept["display_unit"], "parts": [
        {"qid": q, "results": sum(p["qid"] == q for p in kept["timeseries"]), "oldest": by[q][0][0] if q in by else None,
         "windows": [figures(by.get(q, []), a, b) for a, b in windows]} for q in parts]}
windows = json.loads(WINDOWS)
result = {"output": json.dumps([course(*(data[k] for k in own)) for own in KEYS])}
