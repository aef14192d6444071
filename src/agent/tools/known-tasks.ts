import type { Chip } from '../../domain/chip/chip.ts';
import { joinWords } from '../../domain/text/display-text.ts';
import type { ToolContext } from '../tool.ts';

/** The sentence that helps after a name that found nothing: which tasks the chip has results of. */
export async function knownTasks({ services }: ToolContext, chip: Chip): Promise<string> {
  const names = await services.taskResults.names(chip);
  return names.length === 0
    ? `No task was ever run on ${chip.chipId}.`
    : `Tasks that were run on ${chip.chipId}: ${joinWords(names)}.`;
}
