import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { importTable, useImportBench } from './csv-harness.ts';

const bench = useImportBench();

/** A published table by our own reading: every cell that holds a number, by day and column. */
function cellsOf(name: string): Map<string, number> {
  const [, header = '', ...rows] = readFileSync(sharedPath(`data/lab-tables/${name}`), 'utf8')
    .trimEnd()
    .split('\n');
  const columns = header.match(/\(\d+,\d+\)|[^,]+/g)!.slice(1);
  return new Map(
    rows.flatMap((row) => {
      const [day, ...cells] = row.split(',');
      expect(cells).toHaveLength(columns.length);
      return columns.flatMap((column, index) => {
        const qid = column.replaceAll(/[q()]/g, '').replace(',', '-');
        return cells[index] === 'no data' ? [] : [[`${day} ${qid}`, Number(cells[index])] as const];
      });
    }),
  );
}

describeWithSharedData('a table as a laboratory publishes it', () => {
  test.each([
    ['ibmq_athens_t1.csv', 't1', 'μs', 261, (cell: number) => cell * 1e6],
    ['ibmq_athens_readout_error.csv', 'average_readout_fidelity', 'a.u.', 275, (cell: number) => 1 - cell],
    ['ibmq_athens_cnot_error.csv', 'zx90_gate_fidelity', 'a.u.', 440, (cell: number) => 1 - cell],
  ])('(%s) has every figure in the database', async (name, parameter, unit, count, stored) => {
    const printed = await importTable(bench, sharedPath(`data/lab-tables/${name}`), {
      create: true,
      yes: true,
    });
    const cells = cellsOf(name);
    expect(cells.size).toBe(count);
    expect(printed).toMatch(
      new RegExp(`values: ${count};[^]*times: 2020-10-07 00:00 UTC to 2020-12-01.*newest first`),
    );
    const results = await bench.db.collection('task_result_history').find().toArray();
    expect(results).toHaveLength(count);
    for (const { qid, end_at: at, output_parameters: outputs, excluded } of results) {
      expect(Object.keys(outputs)).toEqual([parameter]);
      const cell = cells.get(`${at.toISOString().slice(0, 10)} ${qid}`)!;
      expect(outputs[parameter].value).toBeCloseTo(stored(cell), 10);
      expect(outputs[parameter].unit).toBe(unit);
      expect(excluded).toBe(false);
    }
  });

  test('once more changes nothing, and its newest day is the current one', async () => {
    const path = sharedPath('data/lab-tables/ibmq_athens_t1.csv');
    await importTable(bench, path, { create: true, yes: true });
    expect(await importTable(bench, path, { yes: true })).toContain('0 added, 261 already present');
    const qubit = await bench.db.collection('qubit').findOne({ qid: '0' });
    expect(qubit?.['data'].t1).toMatchObject({ calibrated_at: new Date('2020-12-01T00:00:00Z') });
    expect(qubit?.['data'].t1.value).toBeCloseTo(46.6832, 10);
  });

  test('is not written before somebody agrees to what was guessed', async () => {
    const path = sharedPath('data/lab-tables/ibmq_athens_t1.csv');
    await expect(importTable(bench, path, { create: true })).rejects.toThrow(
      'guessed: the parameter (--parameter); the unit (--unit). If the preview is right, add --yes',
    );
    const asked: string[] = [];
    const ask = async (question: string) => asked.push(question) > 1;
    await expect(importTable(bench, path, { create: true, ask })).rejects.toThrow('nothing was imported');
    expect(await bench.db.collection('task_result_history').countDocuments({})).toBe(0);
    await importTable(bench, path, { create: true, ask });
    expect(asked).toEqual(['Import it like this? [y/N] ', 'Import it like this? [y/N] ']);
    await importTable(bench, path, { parameter: 't1', unit: 's' });
    expect(await bench.db.collection('task_result_history').countDocuments({})).toBe(261);
  });
});
