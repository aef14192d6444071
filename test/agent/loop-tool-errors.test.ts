import { describe, expect, test } from '@jest/globals';
import { NotFoundError } from '../../src/base/errors.ts';
import { callTool } from '../support/scripted-model.ts';
import type { Tool } from '../../src/agent/tool.ts';
import { resultOf, testTool } from '../support/agent-run.ts';
import { answersTo } from '../support/round-of-calls.ts';

describe('Rule 5: a call that goes wrong is answered with an error and the turn goes on', () => {
  test('an outcome that the model can act on: its message', async () => {
    const tool = testTool('look', () => Promise.reject(new NotFoundError('no qubit 99; there are 0 to 63')));
    const { errors, bugs } = await answersTo([callTool('look')], [tool]);
    expect(errors).toEqual(['no qubit 99; there are 0 to 63']);
    expect(bugs).toEqual([]);
  });

  test('a bug: a general message without its text, and the process receives the error', async () => {
    const bug = new Error('connect mongodb://user:secret@host failed');
    const { errors, endings, bugs } = await answersTo(
      [callTool('look')],
      [testTool('look', () => Promise.reject(bug))],
    );
    expect(errors).toEqual(['look failed; its result is not available']);
    expect(JSON.stringify(endings)).not.toContain('secret');
    expect(bugs).toEqual([bug]);
  });

  test('a bug before it runs, or without a promise, is answered in the same way', async () => {
    const thrower = testTool('look', () => {
      throw new TypeError('no promise');
    });
    const describer: Tool = {
      ...testTool('list'),
      describe: () => {
        throw new TypeError('no words');
      },
    };
    const { errors } = await answersTo([callTool('look'), callTool('list')], [thrower, describer]);
    expect(errors).toEqual(['look failed; its result is not available', 'list failed before it ran']);
  });

  test('a tool that takes too long: timed out, even when it ignores its signal', async () => {
    const tool = testTool('look', () => new Promise(() => undefined));
    const { errors, endings } = await answersTo([callTool('look')], [tool], { toolTimeoutMs: 20 });
    expect(errors).toEqual(['look timed out after 0.02 s; ask for less with id']);
    // The same call would take as long again.
    expect(endings[0]).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'TOOL_TIMEOUT', retryable: false },
    });
  });

  test('a result that is too long: cut between rows, valid JSON, with how many are shown', async () => {
    const rows = Array.from({ length: 2000 }, (_, qid) => ({ qid: String(qid), t1: 50 + qid / 7 }));
    const tool = testTool('look', async () => resultOf('T1 of 2000 qubits', { data: { unit: 'μs', rows } }));
    const { outputs, endings } = await answersTo([callTool('look')], [tool]);
    expect(outputs[0]!.length).toBeLessThanOrEqual(30_000);
    const read = JSON.parse(outputs[0]!) as { data: { rows: unknown[] }; _note: string };
    expect(read.data.rows).toEqual(rows.slice(0, read.data.rows.length));
    expect(read.data.rows.length).toBeGreaterThan(500);
    expect(read._note).toContain(`data.rows: ${read.data.rows.length} of 2000 shown`);
    expect(JSON.parse(endings[0]!.resultJson!)).toMatchObject({ data: { rows } });
  });
});
