/** `npm run eval`: asks a model questions whose exact answers are computed from the data, and scores what it says. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { print, runCommand, UsageError } from '../../src/operations/cli/run-command.ts';
import { openStores } from '../../src/app/stores.ts';
import { StartupError } from '../../src/base/errors.ts';
import { createLogger } from '../../src/base/log.ts';
import type { ResourceStack } from '../../src/base/resource-stack.ts';
import { evaluate } from './evaluate.ts';
import { HELD_OUT_SETS, isKeptAside, KEPT_ASIDE, type HeldOutSet } from './held-out-sets.ts';
import { fingerprintOf } from './held-out/judged-question.ts';
import { countVerdicts, judgeAll, judgedJson, shortOfGoal, verdictTable } from './judged.ts';
import { openLab, type Lab } from './lab.ts';
import { choose, makeQuestions } from './questions/make-questions.ts';
import { PHRASINGS } from './questions/phrases.ts';
import { KINDS } from './questions/question.ts';
import { missText, reportJson, tableText } from './report.ts';

const USAGE = `Usage: npm run eval -- [--model NAME] [--kind KIND] [--limit N] [--seed N] [--set NAME] [--json FILE]
  [--at-once N] [--tokens N] [--require]
  --model     a model of the configuration; without it the one that chat would take
  --kind      ${KINDS.join(', ')}
  --limit     so many questions, spread over the kinds
  --seed      other qubits, parameters and phrasings (default 1)
  --set       phrasings: ${PHRASINGS.join(', ')} (default known; the others were written for examining);
              or ${KEPT_ASIDE.join(', ')}: questions kept aside, of which only totals by kind are printed
  --require   fail if such a set does not reach the goal
  --tokens    most that all questions together may take (default 5000000); those after it fail
QPILOT_SHARED names the folder with device snapshots (default ../shared).`;

const count = z.coerce.number().int().positive();
const options = z.object({
  model: z.string().nullable().default(null),
  kind: z.enum(KINDS).nullable().default(null),
  limit: count.nullable().default(null),
  seed: count.default(1),
  set: z.enum([...PHRASINGS, ...KEPT_ASIDE]).default('known'),
  require: z.boolean().default(false),
  json: z.string().nullable().default(null),
  'at-once': count.max(32).default(4),
  tokens: count.default(5_000_000),
});

type RunOptions = z.infer<typeof options>;

function readOptions(args: readonly string[]): RunOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      model: text,
      kind: text,
      limit: text,
      seed: text,
      json: text,
      tokens: text,
      'at-once': text,
      set: text,
      require: { type: 'boolean' },
    },
  });
  const read = options.safeParse(values);
  if (!read.success) throw new UsageError(z.prettifyError(read.error));
  return read.data;
}

const dataFolder = (): string => resolve(process.env['QPILOT_SHARED'] ?? '../shared', 'data');

/** A lab on stores of its own, which are removed with it. */
async function openOwnLab(
  { tokens, set }: RunOptions,
  resources: ResourceStack,
  signal: AbortSignal,
): Promise<Lab> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-eval-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const stores = await openStores({ dataDir, mode: 'own', log: createLogger('warn'), signal });
  resources.defer(() => stores.stop());
  const folder = join(dataFolder(), 'ibm-backends');
  const devicesFolder = existsSync(folder) ? folder : null;
  if (devicesFolder === null) print(`No device snapshots in ${folder}: all questions are about the demo.`);
  const lab = await openLab({
    place: { mongoUri: stores.mongoUri, mongoDb: 'eval', databaseUrl: stores.postgresUrl, dataDir },
    env: process.env,
    devicesFolder,
    further: async (writer) => {
      if (isKeptAside(set)) await HELD_OUT_SETS[set].importInto(writer, dataFolder());
    },
    tokens,
    signal,
  });
  resources.defer(() => lab.close());
  return lab;
}

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const read = readOptions(args);
  const { model, kind, limit, seed, json, 'at-once': atOnce, set: phrasing } = read;
  if (isKeptAside(phrasing)) return runHeldOut(HELD_OUT_SETS[phrasing], read, resources, signal);
  const lab = await openOwnLab(read, resources, signal);
  const questions = choose(makeQuestions(lab.source, seed, phrasing), kind, limit);
  const asked = model ?? lab.defaultModel;
  print(`Asking ${asked} ${questions.length} questions (seed ${seed}, ${phrasing} phrasings).\n`);
  const results = await evaluate(lab, {
    questions,
    model: asked,
    atOnce,
    signal,
    onResult: (result) => {
      if (result.points < 1) print(`${missText(result)}\n`);
    },
  });
  if (results.length === 0) return;
  print(tableText(results));
  if (json !== null) await writeFile(json, reportJson(results, { model: asked, seed, phrasing }));
}

async function runHeldOut(
  set: HeldOutSet,
  read: RunOptions,
  resources: ResourceStack,
  signal: AbortSignal,
): Promise<void> {
  const questions = await set.read(dataFolder());
  const lab = await openOwnLab(read, resources, signal);
  const { json, 'at-once': atOnce } = read;
  const model = read.model ?? lab.defaultModel;
  const fingerprint = fingerprintOf(questions);
  print(`Asking ${model} ${questions.length} questions of ${read.set} (fingerprint ${fingerprint}).\n`);
  const results = await judgeAll(lab, {
    questions,
    readings: set.readings(),
    model,
    atOnce,
    signal,
  });
  if (results.length === 0) return;
  print(verdictTable(results));
  if (json !== null) await writeFile(json, judgedJson(results, { model, fingerprint }));
  const shortage = shortOfGoal(countVerdicts(results));
  if (read.require && shortage !== null) throw new StartupError(shortage);
}

await runCommand({ usage: USAGE, run });
