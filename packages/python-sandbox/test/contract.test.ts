import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BARE_PYTHON } from './support/bare-python.ts';
import { describeEngines } from './support/engines.ts';
import { runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

describeEngines('an analysis', (engine) => {
  /** Libraries are tried in `native.test.ts`. */
  const sandbox = startedSandbox({ engine, python: BARE_PYTHON });
  const run = (code: string, data?: unknown) => runPython(sandbox, code, data);

  describe('output', () => {
    test('is what was printed when there is no result', async () => {
      const { output, charts, tables, error, durationMs } = await run('print("T1", 42)\nprint("é 😀")');
      expect({ output, charts, tables, error }).toEqual({
        output: 'T1 42\né 😀\n',
        charts: [],
        tables: {},
        error: null,
      });
      expect(durationMs).toBeGreaterThan(0);
    });

    test('is that of a dict result, and what was printed is dropped', async () => {
      expect((await run('print("a")\nresult = {"output": "b"}')).output).toBe('b');
    });

    test.each([
      ['a number', '{"output": 3.5}', '3.5'],
      ['a list', '{"output": [1, "a"]}', "[1, 'a']"],
      ['zero', '{"output": 0}', ''],
      ['nothing', '{}', ''],
    ])('of a result with %s is its text, falsy values being empty', async (_, result, expected) => {
      expect((await run(`result = ${result}`)).output).toBe(expected);
    });

    test('stays what was printed when the result is not a dict', async () => {
      expect((await run('print("a")\nresult = 5')).output).toBe('a\n');
    });

    test('is empty for empty code', async () => {
      expect(await run('')).toMatchObject({ output: '', error: null });
    });

    test('is cut at 102400 characters and says so', async () => {
      const { output } = await run('print("x" * 200_000)');
      expect(output).toBe(`${'x'.repeat(102_400)}\n... output truncated at 102400 characters`);
    });

    test('ends with the text of SystemExit, which is not an error', async () => {
      expect(await run('print("a")\nraise SystemExit("done")')).toMatchObject({
        output: 'a\ndone\n',
        error: null,
      });
    });
  });

  describe('data', () => {
    test('is the dict that was handed over', async () => {
      const rows = [
        { qid: '0', t1: 101.5 },
        { qid: '1', t1: null },
      ];
      expect((await run('print(data["rows"][0]["t1"], data["rows"][1]["t1"])', { rows })).output).toBe(
        '101.5 None\n',
      );
    });

    test('of any JSON comes back unchanged through a table, but for NUL', async () => {
      const rows = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), 300);
      const { tables, error } = await run('result = {"tables": {"rows": data["rows"]}}', { rows });
      expect(error).toBeNull();
      expect(JSON.stringify(tables['rows'])).toBe(
        JSON.stringify(rows).replaceAll(String.raw`\u0000`, '\uFFFD'),
      );
    });
  });

  describe('charts', () => {
    test('are the one figure of a dict result', async () => {
      const { charts } = await run(
        'result = {"chart": {"data": [{"y": [1, 2]}], "layout": {"title": "T1"}}}',
      );
      expect(charts).toEqual([{ data: [{ y: [1, 2] }], layout: { title: 'T1' } }]);
    });

    test('of a list are those with data, and the others are refused with a reason', async () => {
      const code = 'result = {"chart": [{"layout": {}}, {"data": []}, 7, {"data": 1}]}';
      const { charts, refused, error } = await run(code);
      expect(charts).toEqual([{ data: [] }]);
      expect(error).toBeNull();
      expect(refused).toEqual([
        'Chart 1 is left out: it is a dict without "data", and a figure is a dict with a list of traces in "data".',
        expect.stringContaining('Chart 3 is left out: it is a number'),
        expect.stringContaining('Chart 4 is left out: it is a dict whose "data" is not a list'),
      ]);
    });

    test('are none when the dict has no data', async () => {
      const { output, charts, refused } = await run('result = {"output": "x", "chart": {"layout": {}}}');
      expect({ output, charts }).toEqual({ output: 'x', charts: [] });
      expect(refused).toHaveLength(1);
    });

    test('may be Plotly objects holding dates, sets, decimals and numbers that JSON has no word for', async () => {
      const code = `
import datetime, decimal, math
class Figure:
    def to_plotly_json(self):
        return {"data": [Trace()]}
class Trace:
    def to_plotly_json(self):
        return {"x": [datetime.date(2024, 5, 1), datetime.datetime(2024, 5, 1, 12)],
                "y": (decimal.Decimal("1.5"), math.nan, math.inf, {7}, datetime.timedelta(seconds=2))}
result = {"chart": Figure()}`;
      const { charts, error } = await run(code);
      expect(error).toBeNull();
      expect(charts).toEqual([
        { data: [{ x: ['2024-05-01', '2024-05-01T12:00:00'], y: [1.5, null, null, [7], 2] }] },
      ]);
    });

    test('that are too large are refused with their size, and the output is kept', async () => {
      const result = await run('result = {"output": "kept", "chart": {"data": [{"y": list(range(10**6))}]}}');
      expect(result.charts).toEqual([]);
      expect(result.output).toBe('kept');
      expect(result.error).toMatch(
        /the chart is 7\.\d MB of JSON, at most 2\.0 MB are allowed; plot fewer points/,
      );
    });
  });

  describe('tables', () => {
    test('are row lists by name', async () => {
      const { tables } = await run('result = {"tables": {"best": [{"qid": "0", "t1": 1.5}], "none": []}}');
      expect(tables).toEqual({ best: [{ qid: '0', t1: 1.5 }], none: [] });
    });

    test('that are no dict of lists are told to the author', async () => {
      expect((await run('result = {"tables": [1]}')).error).toContain('result["tables"] must be a dict');
      expect((await run('result = {"tables": {"x": [1]}}')).error).toContain(
        'result["tables"]["x"] must be a list of dicts or a data frame',
      );
    });
  });

  describe('errors', () => {
    test('name the line, the type and the message, and keep what was printed', async () => {
      const { output, error } = await run('print("before")\n1/0');
      expect({ output, error }).toEqual({
        output: 'before\n',
        error: 'line 2: ZeroDivisionError: division by zero',
      });
    });

    test('without anything printed have no output', async () => {
      expect(await run('data["t1"]')).toMatchObject({ output: null, error: "line 1: KeyError: 't1'" });
    });

    test('of syntax name the line', async () => {
      expect((await run('x = 1\ny = (')).error).toBe("line 2: SyntaxError: '(' was never closed");
    });

    test('of imports list what may be imported', async () => {
      expect((await run('import os')).error).toMatch(
        /^line 1: ImportError: import of 'os' is not allowed; allowed modules: .*math.*statistics/,
      );
    });

    test('of opening a file say where the input is', async () => {
      expect((await run('open("/etc/passwd")')).error).toBe(
        "line 1: NameError: open() is not available in an analysis; its input is the dict 'data'",
      );
    });
  });

  test('every module in the list of packages can be imported, and classes and comprehensions work', async () => {
    await sandbox.availability();
    const code = `${sandbox
      .packages()
      .map((name) => `import ${name}`)
      .join('\n')}
@dataclasses.dataclass
class Qubit:
    t1: float
print(statistics.fmean(q.t1 for q in [Qubit(1), Qubit(2)]))`;
    expect(await run(code)).toMatchObject({ error: null, output: '1.5\n' });
  });
});
