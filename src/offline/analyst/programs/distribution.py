import statistics
rows = data[KEY]["qubits"]
def numbers(name, scale):
    return {r["qid"]: r[name] * scale for r in rows if isinstance(r.get(name), (int, float))}
def percentile(values, percent):
    place = (len(values) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)
x = numbers("X_NAME", X_SCALE)
values = sorted(x.values())
count = len(values)
if count == 0:
    result = {"output": "No values of X_NAME."}
else:
    q = [percentile(values, p) for p in (0, 25, 50, 75, 100)]
    result = {
        "output": f"Distribution of X_NAME over {count} qubits: minimum {q[0]:.4g}, lower quartile {q[1]:.4g}, median {q[2]:.4g}, upper quartile {q[3]:.4g}, maximum {q[4]:.4g}X_UNIT",
        "chart": {
            "data": [{"type": "histogram", "x": values}],
            "layout": {"title": {"text": "Distribution of X_NAME"}, "xaxis": {"title": {"text": "X_AXIS"}}, "yaxis": {"title": {"text": "Qubits"}}},
        },
    }
