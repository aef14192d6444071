/**
 * Names that words of a question may be: the project's chips, and what the chip has that it is about. They are looked
 * up where they matter, in two steps: of which chip a question is shows only once the chips are known.
 */
import { z } from 'zod';
import { NO_NAMES, type KnownNames, type Reading } from '../../domain/questions/query.ts';
import { dataIn, namesIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { tasksOf } from './calls.ts';

export const CHIPS = planned('list_entities', { kind: 'chip' });

const parametersOf = (chipId: string | null): PlannedCall =>
  planned('list_available_parameters', { chip_id: chipId });

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
  if (!reading.needsNames) return { reading, calls: [] };
  const ofTasks = tasksOf(reading.chipId);
  const ofParameters = parametersOf(reading.chipId);
  const calls = open(reading.unread.length > 0 ? [ofTasks, ofParameters] : [ofParameters]);
  if (calls.length > 0) return { reading, calls };
  const found = dataIn(answers, ofParameters, parameters);
  const names = {
    chips,
    tasks: namesIn(answers, ofTasks) ?? [],
    parameters: found?.parameters.map(({ name }) => name) ?? [],
    dataUntil: timeOf(found?.newest_at),
    cooldownStart: timeOf(found?.cooled_down_at),
  };
  return { reading: read(names), calls: [] };
}

/** The chips of the project, once they are looked up. */
export const chipsIn = (answers: Answers): readonly string[] => namesIn(answers, CHIPS) ?? [];

const parameters = z.object({
  parameters: z.array(z.object({ name: z.string() })),
  newest_at: z.string().nullable(),
  cooled_down_at: z.string().optional(),
});

const timeOf = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));
