import json
kept = data[KEY]
short = lambda v: None if v is None else float(f"{v:.6g}")
def rows(name):
    return [[r["part"], short(r["before"]), short(r["after"]), r["change"], r["better"]] for r in kept["changes"] if r["parameter"] == name]
def figures(p, side):
    return {"count": p["compared"], "median": short(p["median_" + side]), "mean": short(p["mean_" + side])}
found = [{"metric": p["parameter"], "title": p["title"], "unit": p["unit"], "before": figures(p, "before"), "after": figures(p, "after"), "rows": rows(p["parameter"])} for p in kept["parameters"] if p["parameter"] in METRICS]
result = {"output": json.dumps(found)}
