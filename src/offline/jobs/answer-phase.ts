/**
 * The offline analyst's turn of a job's phase: plans to-dos from the expert and the words of the job, does them by tool
 * calls, keeps notes, and writes the report from the notes, in the language of the job. What it does next follows
 * from the `ModelRequest` alone, so a worker that takes over a job continues in the same way.
 */
import type { ModelRequest } from '../../agent/model.ts';
import { readJobPrompt } from '../../agent/prompt/job-sections.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import type { Reply } from '../shared/stream.ts';
import { answersById, keyOf, readAnswer } from '../shared/tool-answers.ts';
import { JOB_WORDS } from './messages.ts';
import { plan } from './planning.ts';
import { work } from './working.ts';

/** The next tool calls of a phase, or its last words; null where the request is not about a job. */
export function answerPhase(
  { instructions, input, tools, toolChoice }: ModelRequest,
  now: Date,
): Reply | null {
  const prompt = readJobPrompt(instructions);
  if (prompt === null) return null;
  // A phase starts with an empty input, so all its rounds belong to it, including those before a lost worker.
  const outputs = answersById(input);
  const calls = input.flatMap((entry) => (entry.type === 'round' ? entry.calls : []));
  const turn = {
    tools: new Set(tools.map(({ name }) => name)),
    answers: new Map(calls.map((call) => [keyOf(call), outputs.get(call.callId) ?? readAnswer('')])),
    now,
  };
  const reply = prompt.phase === 'PLANNING' ? plan(prompt, turn) : work(prompt, turn);
  if (reply.calls.length === 0 || toolChoice !== 'none') return reply;
  // The phase's own question is in the language of the job.
  const asked = input.find((entry) => entry.type === 'user');
  return { calls: [], text: JOB_WORDS[writtenLanguage(asked?.text ?? '')].t('cutOff') };
}
