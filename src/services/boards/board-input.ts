/** What a board may hold, checked before it is stored. */
import { z } from 'zod';
import { BOARD_LIMITS, BOARD_SHOWS } from '../../domain/boards/board.ts';
import { VISIBILITIES } from '../../domain/members/sharing.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { TIME_RANGE_KINDS } from '../../domain/values/time-range.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/visuals.ts';
import { toKeptWords } from '../copilot/copilot-input.ts';

const { titleCharacters, argumentCharacters, itemsPerBoard, spans, hours } = BOARD_LIMITS;

export const boardTitle = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(titleCharacters, `must have at most ${titleCharacters} characters`)
  .transform(toKeptWords);

export const boardVisibility = z.enum(VISIBILITIES);

const time = z
  .date()
  .nullish()
  .transform((at) => at ?? null);

/** Its parts fit its kind. */
export const timeRange = z
  .object({
    kind: z.enum(TIME_RANGE_KINDS),
    hours: z
      .number()
      .int()
      .min(1, 'must be at least 1')
      .max(hours, `must be at most ${hours.toLocaleString('en')}`)
      .nullish()
      .transform((given) => given ?? null),
    from: time,
    to: time,
  })
  .superRefine(({ kind, hours: last, from, to }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((kind === 'LAST') !== (last !== null)) refuse('hours', 'belongs to LAST, and to no other kind');
    if (kind !== 'BETWEEN' && (from !== null || to !== null))
      refuse('from', 'belongs to BETWEEN, as to does');
    if (kind === 'BETWEEN' && from === null && to === null) refuse('from', 'or to must be given for BETWEEN');
    if (from !== null && to !== null && from >= to) refuse('to', 'must be after from');
  });

const argumentsOf = z
  .unknown()
  .refine((given) => isJsonObject(given as Json), 'must be an object')
  .refine(
    (given) => JSON.stringify(given).length <= argumentCharacters,
    `must have at most ${argumentCharacters.toLocaleString('en')} characters as JSON`,
  )
  .transform((given) => JSON.parse(toStoredText(JSON.stringify(given))) as JsonObject);

export const boardQuery = z.object({ tool: z.string().max(100), arguments: argumentsOf });

/** What an item has beside its query. */
export const itemView = z.object({
  title: boardTitle.nullish().transform((title) => title ?? null),
  show: z.enum(BOARD_SHOWS),
  index: z.number().int().min(0).max(50).default(0),
  span: z.number().int().min(1).max(spans, `must be at most ${spans} columns`).default(1),
});

const item = itemView.extend({ id: z.uuid('must be the itemId of an item'), query: boardQuery });

export const boardItems = z
  .array(item)
  .max(itemsPerBoard, `must be at most ${itemsPerBoard} items; delete some, or make another board`)
  .refine(
    (items) => new Set(items.map(({ id }) => id)).size === items.length,
    'must have an itemId of their own each',
  );
