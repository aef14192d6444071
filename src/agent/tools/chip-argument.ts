/** Arguments and sentences that tools about a chip share. */
import { z } from 'zod';
import type { Chip } from '../../domain/chip/chip.ts';
import { formatMeasured } from '../../domain/text/display-text.ts';
import type { Freshness } from '../../domain/values/freshness.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { ToolContext } from '../tool.ts';

/** Names the chip; the prompt explains null once for all tools. */
export const chipIdArg = z.string().nullable();

/**
 * Calls that read or write the session's data store run in call order, so that analysis sees what was fetched before
 * it.
 */
export const SESSION_DATA = 'session-data';

/**
 * The chip of a call: the one named, else the conversation's, else the project's newest. Results name it, so that the
 * choice is visible.
 * @throws NotFoundError naming the project's chips.
 */
export async function chipOf(context: ToolContext, asked: string | null): Promise<Chip> {
  const { viewer, services, loaders } = context;
  const wanted = asked || context.chipId;
  if (wanted === null) {
    const chip = await services.chips.defaultChip(viewer);
    if (chip === null) throw new NotFoundError(`project ${viewer.projectId} has no chip yet`);
    return chip;
  }
  return loaders.chipNamed(wanted);
}

/** The conversation's chip for the keys of stored results: a default chip counts as the conversation's. */
export const sessionChipOf = (context: ToolContext, asked: string | null, chip: Chip): string | null =>
  context.chipId ?? (asked ? null : chip.chipId);

/** `chip demo-64` or `this chip`, for the description of a call. */
export const chipWords = (chipId: string | null): string => chipId || 'this chip';

/** The sentence that ends every summary of stored values. */
export const storedSentence = ({ oldestAt, newestAt }: Freshness): string =>
  `Stored results, ${formatMeasured(oldestAt, newestAt)}.`;

/** The same for series, whose freshness is that of the newest result of each. */
export const newestSentence = ({ oldestAt, newestAt }: Freshness): string =>
  `Stored results, the newest ${formatMeasured(oldestAt, newestAt)}.`; // no claim: freshness of a series is taken from its newest result
