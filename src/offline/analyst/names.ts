/** Names that words of a question may be: the project's chips, and what the chip has. Looked up where they matter. */
import { z } from 'zod';
import { NO_NAMES, type KnownNames, type Reading } from '../../domain/questions/query.ts';
import { foundIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';

const CHIPS = planned('list_entities', { kind: 'chip', name_contains: null });
const TASKS = planned('list_entities', { kind: 'task', name_contains: null });

const parametersOf = (chipId: string | null): PlannedCall =>
  planned('list_available_parameters', { chip_id: chipId, qid: null });

/** Its freshness says until when the chip has values. */
const newestOf = (chipId: string | null): PlannedCall =>
  planned('get_chip_summary', { chip_id: chipId, param_names: null });

/** The calls that look up the names for a question that cannot be read without them. */
export const nameCalls = ({ asks, needsNames }: Reading): readonly PlannedCall[] =>
  needsNames ? [CHIPS, TASKS, parametersOf(chipIn(asks)), newestOf(chipIn(asks))] : [];

const chipIn = (asks: Reading['asks']): string | null => asks.at(-1)?.chipId ?? null;

const entities = z.object({ entities: z.array(z.object({ name: z.string() })) });
const parameters = z.object({ parameters: z.array(z.object({ name: z.string() })) });

/** The names that the calls of {@link nameCalls} found; null while there are none. */
export function knownNames(reading: Reading, answers: Answers): KnownNames | null {
  const calls = nameCalls(reading);
  const found = calls.map((call) => foundIn(answers, call)?.data);
  if (found.every((data) => data === undefined)) return null;
  const newestAt = calls[3] === undefined ? null : foundIn(answers, calls[3])?.freshness?.newestAt;
  const [chips, tasks] = found.map((data) => namesIn(entities.safeParse(data).data?.entities));
  return {
    ...NO_NAMES,
    chips: chips ?? [],
    tasks: tasks ?? [],
    parameters: namesIn(parameters.safeParse(found[2]).data?.parameters),
    dataUntil: newestAt == null ? null : new Date(newestAt),
  };
}

const namesIn = (rows: readonly { readonly name: string }[] = []): readonly string[] =>
  rows.map(({ name }) => name);
