/**
 * Names that words of a question may be: the project's chips, and what the chip has that it is about. They are looked
 * up where they matter, in two steps: of which chip a question is shows only once the chips are known.
 */
import { z } from 'zod';
import { NO_NAMES, type KnownNames, type Reading } from '../../domain/questions/query.ts';
import { dataIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { tasksOf } from './calls.ts';

export const CHIPS = planned('list_entities', { chip_id: null, kind: 'chip', name_contains: null });

const parametersOf = (chipId: string | null): PlannedCall =>
  planned('list_available_parameters', { chip_id: chipId, qid: null });

/** A question as far as it can be read by now, and the calls whose answers it has to be read with. */
export type NamesRead = { readonly reading: Reading; readonly calls: readonly PlannedCall[] };

/** Reads a question with the names that it needs. `open` are those of some calls that are still to be made. */
export function readWithNames(
  read: (names: KnownNames) => Reading,
  answers: Answers,
  open: (calls: readonly PlannedCall[]) => readonly PlannedCall[],
): NamesRead {
  const first = read(NO_NAMES);
  const chipCalls = first.needsChips ? [CHIPS] : [];
  if (open(chipCalls).length > 0) return { reading: first, calls: open(chipCalls) };
  const chips = first.needsChips ? chipsIn(answers) : [];
  const reading = chips.length > 0 ? read({ ...NO_NAMES, chips }) : first;
  if (!reading.needsNames && !reading.needsYear) return { reading, calls: [] };
  const ofTasks = tasksOf(reading.chipId);
  const ofParameters = parametersOf(reading.chipId);
  const calls = open(reading.unread.length > 0 ? [ofTasks, ofParameters] : [ofParameters]);
  if (calls.length > 0) return { reading, calls };
  const found = dataIn(answers, ofParameters, parameters);
  const names = {
    chips,
    tasks: namesIn(dataIn(answers, ofTasks, entities)?.entities),
    parameters: namesIn(found?.parameters),
    dataUntil: found?.newest_at == null ? null : new Date(found.newest_at),
  };
  return { reading: read(names), calls: [] };
}

/** The chips of the project, once they are looked up. */
export const chipsIn = (answers: Answers): readonly string[] =>
  namesIn(dataIn(answers, CHIPS, entities)?.entities);

const named = z.array(z.object({ name: z.string() }));
const entities = z.object({ entities: named });
const parameters = z.object({ parameters: named, newest_at: z.string().nullable() });

const namesIn = (rows: z.infer<typeof named> = []): readonly string[] => rows.map(({ name }) => name);
