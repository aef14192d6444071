/**
 * The offline analyst as it works on a job: plans to-dos by the expert and the words of the job, does them by calls of tools,
 * keeps notes, and writes the report from the notes, in the language of the job. It sees what any model sees and goes through
 * the same loop; what it does next follows from that alone, so that a worker which takes the job over goes on the same way.
 * It says what it is, and what of the job it could not follow.
 */
import { readJobPrompt } from '../../agent/prompt/job-sections.ts';
import type { JobMove, JobTurn } from './move.ts';
import { plan } from './planning.ts';
import { work } from './working.ts';

/** The next move on a phase; null where the request is not about a job. */
export function nextMove(turn: JobTurn): JobMove | null {
  const prompt = readJobPrompt(turn.instructions);
  if (prompt === null) return null;
  return prompt.phase === 'PLANNING' ? plan(prompt, turn) : work(prompt, turn);
}
