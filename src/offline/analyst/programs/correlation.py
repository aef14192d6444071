import statistics
rows = data[KEY]["qubits"]
def numbers(name, scale):
    return {r["qid"]: r[name] * scale for r in rows if isinstance(r.get(name), (int, float))}
x = numbers("X_NAME", X_SCALE)
y = numbers("Y_NAME", Y_SCALE)
both = [q for q in x if q in y]
a = [x[q] for q in both]
b = [y[q] for q in both]
if len(both) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
    result = {"output": "A correlation of X_NAME and Y_NAME needs at least three qubits with different values of both."}
else:
    r = statistics.correlation(a, b)
    strength = "no clear" if abs(r) < 0.3 else "a weak" if abs(r) < 0.5 else "a moderate" if abs(r) < 0.7 else "a strong"
    sign = "" if abs(r) < 0.3 else " positive" if r > 0 else " negative"
    result = {
        "output": f"Pearson correlation of X_NAME and Y_NAME over {len(both)} qubits: r = {r:.3f}, {strength}{sign} relation",
        "chart": {
            "data": [{"type": "scatter", "mode": "markers", "x": a, "y": b, "text": ["Q" + q for q in both]}],
            "layout": {"title": {"text": "X_NAME and Y_NAME"}, "xaxis": {"title": {"text": "X_AXIS"}}, "yaxis": {"title": {"text": "Y_AXIS"}}},
        },
    }
