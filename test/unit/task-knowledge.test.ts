import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_COUPLINGS, DEMO_QUBITS } from '../../src/import/demo/device.ts';
import { COUPLING_TASKS, QUBIT_TASKS } from '../../src/import/demo/tasks.ts';
import { createTaskKnowledge } from '../../src/services/calibration/task-knowledge.ts';
import { readTaskKnowledge } from '../../src/stores/catalogue/task-knowledge-files.ts';
import { parseTaskKnowledge } from '../../src/stores/catalogue/task-knowledge-markdown.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const SHIPPED = fileURLToPath(new URL('../../config/task-knowledge/', import.meta.url));

const WHOLE = `# CheckX

What X is for.

## What it measures

First line
second line.

## Principle

P.

## Expected result

E.

## Good result

- smooth
  and round

## Bad result

- rough

## Evaluation criteria

- above 5

## Failure modes

### Dead

- severity: critical
- cause: no power: none at all
- visual: flat
- next: switch on

## Tips

- wait

## Outputs

- x: the value

## Related context

- history(last_n=5)
- neighbor_qubits(t1, t2_echo)
- coupling(zx90_gate_fidelity)
`;

const problemsOf = (text: string): readonly string[] => {
  const parsed = parseTaskKnowledge(text);
  return 'problems' in parsed ? parsed.problems : [];
};

describe('A task knowledge file', () => {
  test('is read section by section', () => {
    expect(parseTaskKnowledge(WHOLE)).toEqual({
      knowledge: {
        taskName: 'CheckX',
        summary: 'What X is for.',
        measures: 'First line second line.',
        principle: 'P.',
        expected: 'E.',
        good: ['smooth and round'],
        bad: ['rough'],
        criteria: ['above 5'],
        failureModes: [
          {
            title: 'Dead',
            severity: 'critical',
            cause: 'no power: none at all',
            visual: 'flat',
            next: 'switch on',
          },
        ],
        tips: ['wait'],
        outputs: ['x: the value'],
        related: [
          { type: 'history', lastN: 5 },
          { type: 'neighbor_qubits', parameters: ['t1', 't2_echo'] },
          { type: 'coupling', parameters: ['zx90_gate_fidelity'] },
        ],
        cases: [],
      },
    });
  });

  test.each([
    ['a missing section', WHOLE.replace(/## Tips[^#]*/u, ''), 'line 1, Tips: is missing'],
    [
      'an unknown section',
      `${WHOLE}\n## Extras\n\n- a\n`,
      'line 54, Extras: no such section; there are What it measures,',
    ],
    ['a section twice', `${WHOLE}\n## Tips\n\n- a\n`, 'line 54, Tips: appears twice'],
    ['no heading', WHOLE.replace('# CheckX', 'CheckX'), 'line 1, top: must be "# TaskName"'],
    [
      'an unknown severity',
      WHOLE.replace('critical', 'terrible'),
      'line 35, Failure modes, no. 1, severity: ',
    ],
    [
      'a missing field',
      WHOLE.replace('- next: switch on\n', ''),
      'line 33, Failure modes, no. 1, next: is missing',
    ],
    [
      'a field too many',
      WHOLE.replace('- next:', '- colour: red\n- next:'),
      'line 33, Failure modes, no. 1: has colour',
    ],
    ['text in a list', WHOLE.replace('- wait', 'wait'), 'line 40, Tips: takes a list only'],
    ['an empty text', WHOLE.replace('P.', ''), 'line 10, Principle: is empty'],
    [
      'an output without a meaning',
      WHOLE.replace('x: the value', 'x'),
      'line 46, Outputs, no. 1: must be "name: meaning"',
    ],
    [
      'a context that there is not',
      WHOLE.replace('last_n=5', 'last_n=500'),
      'line 48, Related context: "history(last_n=500)"',
    ],
  ])('with %s says so and where', (_what, text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem);
  });
});

describe('A folder of task knowledge', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-knowledge-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('gives what it can and names each file that it cannot use', async () => {
    await writeFile(join(folder, 'CheckX.md'), WHOLE);
    await writeFile(join(folder, 'CheckY.md'), WHOLE);
    await writeFile(join(folder, 'CheckZ.md'), '# CheckZ\n');
    await writeFile(join(folder, 'notes.txt'), 'not knowledge');
    const { knowledge, broken } = await readTaskKnowledge(folder);
    expect(knowledge.map(({ taskName }) => taskName)).toEqual(['CheckX']);
    expect(broken.map(({ file }) => file)).toEqual(
      ['CheckY.md', 'CheckZ.md'].map((name) => join(folder, name)),
    );
    expect(broken[0]?.problems).toEqual(['line 1, top: is about CheckX; a file about it is named CheckX.md']);
  });

  test('that is not there is said by name', async () => {
    await expect(readTaskKnowledge(join(folder, 'none'))).rejects.toThrow(
      /task knowledge in .*none cannot be read/u,
    );
  });
});

describe('The shipped task knowledge', () => {
  test('covers every task of the demo, with its outputs and parameters that there are', async () => {
    const { knowledge, broken } = await readTaskKnowledge(SHIPPED);
    expect(broken).toEqual([]);
    const qubit = QUBIT_TASKS.map((task) => [task.name, task.measure(DEMO_QUBITS[0]!, 0)] as const);
    const coupling = COUPLING_TASKS.map((task) => [task.name, task.measure(DEMO_COUPLINGS[0]!, 0)] as const);
    const outputs = new Map(
      [...qubit, ...coupling].map(([name, values]) => [name, values.map((value) => value.name)]),
    );
    expect(knowledge.map(({ taskName }) => taskName)).toEqual([...outputs.keys()].toSorted());
    const known = new Set(
      [...outputs.values()].flat().concat(shippedMetrics.metrics.map(({ name }) => name)),
    );
    for (const { taskName, outputs: described, related, cases } of knowledge) {
      expect(described.map((line) => line.split(':')[0])).toEqual(outputs.get(taskName));
      const asked = related.flatMap((each) => (each.type === 'history' ? [] : each.parameters));
      expect(asked.filter((name) => !known.has(name))).toEqual([]);
      expect(cases.some(({ chip, qid }) => chip === 'demo-64' && qid === '45')).toBe(true);
    }
  });

  test('is found by the name of the task, also within a question', async () => {
    const service = createTaskKnowledge((await readTaskKnowledge(SHIPPED)).knowledge);
    expect(service.find('checkt1')?.taskName).toBe('CheckT1');
    expect(service.find('T1')).toBeNull();
    expect(service.namedIn('What does checkT1 do?').map(({ taskName }) => taskName)).toEqual(['CheckT1']);
    expect(service.namedIn('CheckT1とは何ですか').map(({ taskName }) => taskName)).toEqual(['CheckT1']);
    expect(service.namedIn('What is T1 of Q7?')).toEqual([]);
  });
});
