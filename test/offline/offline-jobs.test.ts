import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readExpertFolder } from '../../src/experts/expert-folder.ts';
import { readGeneration, type ExpertGeneration } from '../../src/experts/expert-generation.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { runOfflineJob, type OfflineJob, type RanJob } from '../support/offline-job.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { openSandbox } from '../../packages/python-sandbox/test/support/sandbox.ts';

const EXPERTS = ['researcher', 'coder', 'writer', 'calibrator'] as const;

let demo: DemoDatabase;
let sandbox: PythonSandbox;
let folder: string;
let experts: ExpertGeneration;

beforeAll(async () => {
  [demo, folder] = await Promise.all([openDemoDatabase(), mkdtemp(join(tmpdir(), 'qpilot-jobs-'))]);
  experts = readGeneration(
    await readExpertFolder(fileURLToPath(new URL('../../config/experts', import.meta.url))),
  );
  sandbox = openSandbox();
  await sandbox.availability();
});

afterAll(async () => {
  await Promise.all([demo.close(), sandbox.close(), rm(folder, { recursive: true, force: true })]);
});

async function run(
  expertId: string,
  chipId: string,
  id = `${expertId}-${chipId}`,
  more: Partial<Pick<OfflineJob, 'losesWorkerInPhase' | 'description' | 'ownInstructions' | 'sentBack'>> = {},
): Promise<RanJob & { readonly report: string }> {
  const expert = experts.experts.get(expertId)!;
  const job = await runOfflineJob({
    services: demo.services,
    sandbox,
    folder,
    id,
    expertId,
    config: expert.resolution.config,
    chipId,
    description: 'Look at the chip and say what matters.',
    ...more,
  });
  return { ...job, report: await job.workspace.readText('report.md') };
}

type Ran = Awaited<ReturnType<typeof run>>;
const demoJobs = new Map<string, Promise<Ran>>();

/** The job of an expert on the demo chip, run once. */
function demoJob(expertId: string): Promise<Ran> {
  const ran = demoJobs.get(expertId) ?? run(expertId, 'demo-64');
  demoJobs.set(expertId, ran);
  return ran;
}

/** What only this expert's report on the demo chip says, and the files that only it makes. */
const OWN: Readonly<
  Record<(typeof EXPERTS)[number], { readonly says: string; readonly files: readonly string[] }>
> = {
  researcher: { says: 'Q27: T1 and T2 Echo became worse together', files: [] },
  coder: {
    says: 'the strongest relation is t1 with t2_echo, r = 0.88 (95 % 0.80 to 0.92) over 64 qubits',
    files: ['scripts/chip_statistics.py', 'tables/statistics.csv', 'figures/figure-1.json'],
  },
  writer: { says: '## Recommendations', files: [] },
  calibrator: { says: '| 1 | CheckT1 | Q12 | the run failed', files: ['next-calibrations.csv'] },
};

const REFERENCE = /^\[\d+\] .+: (\S+)(?: (μs|%|GHz|MHz))?, (\S+ \S+) UTC, record (\S+)$/gmu;
/** From a stored value to the shown one, by the unit that is shown. */
const SCALES: Readonly<Record<string, number>> = { MHz: 1_000, '%': 100 };

/** Every reference leads to a stored result of that value, unit and time. */
async function expectRecords(report: string): Promise<void> {
  const references = [...report.matchAll(REFERENCE)];
  expect(references).toHaveLength(report.match(/^\[\d+\] /gmu)?.length ?? 0);
  expect(references.length).toBeGreaterThan(0);
  const ids = references.map(([, , , , id]) => id ?? '');
  const stored = await demo.services.taskResults.getMany(demoViewer, ids);
  for (const [at, [line, shown, unit = '', time]] of references.entries()) {
    const { outputParameters, endAt } = stored[at]!;
    const values = outputParameters.map(({ value }) => Number(value) * (SCALES[unit] ?? 1));
    const nearest = Math.min(...values.map((value) => Math.abs(value / Number(shown) - 1)));
    expect([line, nearest < 0.0005]).toEqual([line, true]);
    expect(endAt?.toISOString().slice(0, 16).replace('T', ' ')).toBe(time);
  }
}

/** Parts of every report, in this order; each states everything once, with the age of its values. */
function expectReadable(report: string): void {
  const sections = report.split(/^## /gmu).slice(1);
  const titles = sections.map((section) => section.split('\n', 1)[0]);
  expect([titles[0], ...titles.slice(-2)]).toEqual(['Result', 'What was not checked', 'References']);
  for (const section of sections) {
    const lines = section.split('\n').filter((line) => line !== '');
    const statements = section.split(/\n\n(?!- )/u);
    expect(statements).toEqual([...new Set(statements)]);
    expect(lines.filter((line) => line.startsWith('Stored results, measured')).length).toBeLessThan(2);
  }
  expect(report).not.toMatch(/undefined|NaN|\[object|null/u);
  expect(report).toContain('no language model');
}

describe.each(EXPERTS)('the offline %s', (expertId) => {
  test('carries a job on the demo chip through its phases to a report of its own', async () => {
    const { phases, workspace, report } = await demoJob(expertId);
    expect(phases.map(({ kind }) => kind)).toEqual([
      'PLANNING',
      'WORKING',
      'PLANNING',
      'WORKING',
      'PLANNING',
    ]);
    expect(phases.flatMap(({ failures }) => failures)).toEqual([]);
    expect(phases.at(-1)?.decision).toMatchObject({ type: 'finish', reportPath: 'report.md' });
    expect(phases.at(-1)?.text).toContain('From the offline analyst');
    for (const said of [
      '## Result',
      'the newest is 1 hour old',
      '## What was not checked',
      OWN[expertId].says,
    ]) {
      expect(report).toContain(said);
    }
    await expectRecords(report);
    expectReadable(report);
    const others = EXPERTS.filter((other) => other !== expertId);
    for (const other of others) expect(report).not.toContain(OWN[other].says);
    const paths = (await workspace.list()).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['instructions.md', 'plan.md', 'report.md', ...OWN[expertId].files]),
    );
    expect(await workspace.readText('plan.md')).not.toContain('[ ]');
  });
});

test('a worker that takes over in the middle of a phase comes to the same report', async () => {
  const lost = await run('calibrator', 'demo-64', 'lost', { losesWorkerInPhase: 2 });
  expect(lost.phases.map(({ kind }) => kind)).toEqual([
    'PLANNING',
    'WORKING',
    'WORKING',
    'PLANNING',
    'WORKING',
    'PLANNING',
  ]);
  expect(lost.report).toBe((await demoJob('calibrator')).report);
});

test('a job under review waits, and the review note is followed or reported as not followed', async () => {
  const description = 'Report only couplings. Let me review it.';
  const first = await run('writer', 'demo-64', 'reviewed', { description });
  expect(first.phases.at(-1)?.decision).toMatchObject({ type: 'review' });
  expect(sectionsOf(first.report)).toEqual(['Result', 'Couplings', 'What was not checked', 'References']);
  const note = 'Worst two couplings. Add T2, and the state. Please print it on paper.';
  const again = await run('writer', 'demo-64', 'reviewed', {
    description,
    sentBack: { note, phasesBefore: first.phases.length },
  });
  expect(again.phases.flatMap(({ failures }) => failures)).toEqual([]);
  expect(again.phases.at(-1)?.decision).toMatchObject({ type: 'finish' });
  expect(again.report).toContain(`Review note 1: ${note}`);
  expect(again.report).toMatch(/Not understood or not supported: .*paper/u);
  expect(again.report).toContain('The 2 worst ZX90 Gate Fidelity of 112 couplings on demo-64');
  expect(sectionsOf(again.report)).toContain('State of the chip');
  await expectRecords(again.report);
});

/** The parts that a report names outside of quotations, of the lines that say what was asked for, and of references. */
const partsIn = (report: string): ReadonlySet<string> => {
  const said = report
    .split('\n')
    .filter((line) => !/^(?:Task|Restricted|- Searched|\[\d+\])/u.test(line))
    .join('\n')
    .replaceAll(/“[^”]*”/gu, '');
  return new Set(said.match(/Q\d+(?:-Q\d+)?/gu));
};

test('a job about what meets a condition is about nothing else, and says so', async () => {
  const description = 'Report on qubits with T1 below 30 us.';
  const { report, phases } = await run('writer', 'demo-64', 'conditions', { description });
  expect(phases.flatMap(({ failures }) => failures)).toEqual([]);
  expect(report).toContain('Restricted, as asked, to the parts of “Report on qubits with T1 below 30 us”.');
  expect([...partsIn(report)].filter((part) => !part.split('-').includes('Q45'))).toEqual([]);
  await expectRecords(report);
});

test('a job about couplings that meet a condition compares their own parameters', async () => {
  const description = 'Report the couplings with ZX90 error above 4 %. What changed this week?';
  const { report } = await run('writer', 'demo-64', 'couplings', { description });
  const named = [...partsIn(report)];
  expect(named.filter((part) => !['Q47-Q45', 'Q31-Q45'].includes(part))).toEqual([]);
  expect(report).toMatch(/compared values?, none became worse|No parameter has results/u);
  expect(report).toContain('ZX90 Gate Fidelity on demo-64: 2026-05-13');
});

test('a job without a qubit has it in no list and in no mean', async () => {
  const { report } = await run('researcher', 'demo-64', 'without', { description: 'Everything except Q27' });
  expect([...partsIn(report)].filter((part) => part.split('-').includes('Q27'))).toEqual([]);
  expect(report).toContain('Mean of 63 qubits');
});

test('a question of a task is answered by itself', async () => {
  const description = 'Report the ZX90 error of 0-1.';
  const { report } = await run('writer', 'demo-64', 'question', { description });
  expect(sectionsOf(report)).toEqual(['Result', 'Questions of the task', 'What was not checked']);
  expect(report).toContain('ZX90 Gate Error of Q01-Q00 on demo-64: 1.50 %.');
});

test('a job in Japanese is planned, done and reported in Japanese', async () => {
  const { report, phases, workspace } = await run('writer', 'demo-64', 'japanese', {
    description: 'チップのレポートを書いてください。',
  });
  expect(sectionsOf(report)).toEqual([
    '結果',
    'チップの状態',
    '変化',
    '良い量子ビットと悪い量子ビット',
    'カップリング',
    '失敗した実行とメモ',
    '推奨事項',
    '確認していないこと',
    '参照',
  ]);
  // Text from the database and from users stays as it is.
  const own = report.replaceAll(/“[^”]*”|R² of .*?discarded/gu, '');
  expect(own.split('\n').filter((line) => ENGLISH_WORDS.test(line))).toEqual([]);
  expect(
    phases.map(({ text }) => text).filter((text) => ENGLISH_WORDS.test(text.replaceAll(/R² of .*/gu, ''))),
  ).toEqual([]);
  const plan = await workspace.readText('plan.md');
  expect(plan).toContain('レポートを書く');
});

const ENGLISH_WORDS =
  /\b(?:the|of|and|with|was|were|is|are|from|qubits?|couplings?|stored|measured|better|worse)\b/u;
const sectionsOf = (report: string): readonly string[] =>
  [...report.matchAll(/^## (.+)$/gmu)].map(([, title]) => title ?? '');

describeWithSharedData('the offline experts with a chip of one snapshot', () => {
  test.each(EXPERTS)('%s says of brisbane what can be said, and how old it is', async (expertId) => {
    const { report, phases } = await run(expertId, 'brisbane');
    expect(phases.flatMap(({ failures }) => failures)).toEqual([]);
    expect(report).toMatch(
      /stored results measured from 2025-01-28 \d\d:\d\d to 2025-02-26 \d\d:\d\d UTC; the newest is 44[78] days old/u,
    );
    await expectRecords(report);
    expectReadable(report);
  });
});
