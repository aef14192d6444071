import math, statistics

only, excluded = ONLY, EXCLUDED
rows = [r for r in ROWS if (not only or r["qid"] in only) and r["qid"] not in excluded]
# Name of the parameter, factor from stored to shown values, shown unit, stored median by the chip summary.
columns = COLUMNS

FAR_OFF = 3.5      # robust score (Iglewicz and Hoaglin, 1993)
SAME = 0.98        # correlation from which two parameters count as one quantity
Z = 1.96           # normal quantile of a 95 % interval

def median_interval(values):
    "95 % interval of the median by order statistics."
    n = len(values)
    half = Z * math.sqrt(n) / 2
    return values[max(0, math.floor(n / 2 - half) - 1)], values[min(n - 1, math.ceil(n / 2 + half))]

def correlation_interval(r, n):
    "95 % interval by Fisher's transformation."
    z, half = math.atanh(r), Z / math.sqrt(n - 3)
    return math.tanh(z - half), math.tanh(z + half)

table, far, lines, shown, agreeing, checked = [], [], [], {}, 0, 0
for name, scale, unit, known in columns:
    by_qid = {r["qid"]: r[name] * scale for r in rows if isinstance(r.get(name), (int, float))}
    if len(by_qid) < 4:
        continue
    shown[name] = by_qid
    values = sorted(by_qid.values())
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    low, high = median_interval(values)
    mad = statistics.median(abs(v - median) for v in values)
    if known is not None:
        checked += 1
        agreeing += math.isclose(median, known * scale, rel_tol=1e-3)
    table.append({"parameter": name, "unit": unit, "qubits": len(values), "mean": statistics.mean(values),
                  "stdev": statistics.stdev(values), "minimum": values[0], "q1": q1, "median": median,
                  "median_low": low, "median_high": high, "q3": q3, "maximum": values[-1]})
    lines.append(f"{name}: median {median:.4g} {unit} (95 % {low:.4g} to {high:.4g}),"
                 f" middle half {q1:.4g} to {q3:.4g} {unit}, {len(values)} of {len(rows)} qubits")
    for qid, value in by_qid.items():
        score = (value - median) / (1.4826 * mad) if mad > 0 else 0
        if abs(score) >= FAR_OFF:
            far.append({"qid": qid, "parameter": name, "value": value, "unit": unit, "score": score})

pairs, same = [], 0
names = list(shown)
for i, a in enumerate(names):
    for b in names[i + 1:]:
        both = [q for q in shown[a] if q in shown[b]]
        x, y = [shown[a][q] for q in both], [shown[b][q] for q in both]
        if len(both) < 8 or len(set(x)) < 2 or len(set(y)) < 2:
            continue
        r = statistics.correlation(x, y)
        if abs(r) >= SAME:
            same += 1
            continue
        low, high = correlation_interval(r, len(both))
        pairs.append({"first": a, "second": b, "qubits": len(both), "r": r, "r_low": low, "r_high": high})
pairs.sort(key=lambda pair: -abs(pair["r"]))
far.sort(key=lambda each: -abs(each["score"]))

def count(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


head = f"{count(len(table), 'parameter')} of {count(len(rows), 'qubit')}: {count(len(far), 'value')} far from the rest"
if pairs:
    p = pairs[0]
    head += (f"; the strongest relation is {p['first']} with {p['second']}, r = {p['r']:.2f}"
             f" (95 % {p['r_low']:.2f} to {p['r_high']:.2f}) over {p['qubits']} qubits")
for each in far[:8]:
    lines.append(f"Far off: {each['parameter']} of qid {each['qid']}, {each['value']:.4g} {each['unit']}, score {each['score']:.1f}")
of_gates = [p for p in pairs if "gate_fidelity" in p["first"] + p["second"]][:3]
for p in pairs[:5] + [p for p in of_gates if p not in pairs[:5]]:
    lines.append(f"Relation: {p['first']} with {p['second']}, r = {p['r']:.2f}"
                 f" (95 % {p['r_low']:.2f} to {p['r_high']:.2f}), {p['qubits']} qubits")
if pairs:
    lines.append(f"{len(pairs) + same} pairs were compared, so single weak relations arise by chance;"
                 f" {same} with {SAME} and more are left out as one quantity twice")
if checked:
    lines.append(f"Check: {agreeing} of {checked} medians agree with those of the chip summary")

result = {"tables": {"statistics": table, "far_off": far, "correlations": pairs[:20]}}
first = next((c for c in columns if c[0] == "t1" and "t1" in shown), next((c for c in columns if c[0] in shown), None))
if first:
    values = list(shown[first[0]].values())
    result["chart"] = {"data": [{"type": "histogram", "x": values}],
                       "layout": {"title": {"text": f"Distribution of {first[0]}"},
                                  "xaxis": {"title": {"text": f"{first[0]} ({first[2]})"}},
                                  "yaxis": {"title": {"text": "Qubits"}}}}
result["output"] = "\n".join([head + "."] + lines)
