/**
 * Answers about the task result of a conversation, without tool calls: as for any model, the instructions hold the
 * result, runs before it, the qubits and couplings beside it, and what the lab knows about the task.
 */
import { ASSESSMENTS, type Assessment } from '../../domain/conversation/session.ts';
import type { AnswerWords } from './messages.ts';
import { ratingAssessment } from './assess.ts';
import { readable } from '../../domain/questions/lexicon.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { linesIn } from '../shared/text.ts';
import words from './words.json' with { type: 'json' };

/** A part of what the instructions hold on a result. */
type ResultPart = 'result' | 'history' | 'neighbours' | 'couplings' | 'remedies' | 'meaning';

/** A task result as the instructions describe it. */
export type TaskResult = {
  readonly task: string;
  readonly label: string;
  readonly chipId: string;
  /** Null for a coupling. */
  readonly qid: string | null;
  readonly parts: ReadonlyMap<ResultPart, readonly string[]>;
};

const HEAD = /^Task result \S+: (\S+) of (\S+) on (\S+)\. "This result" means it\.$/u;
const BLOCK = /<(data-[0-9a-f]+)>\n([\s\S]*?)\n<\/\1>/gu;

/** The result that the instructions are about; null where they are about none. */
export function readTaskResult(instructions: string): TaskResult | null {
  const blocks = [...instructions.matchAll(BLOCK)].map(([, , text = '']) => linesIn(text));
  const blockOf = (head: RegExp): readonly string[] => blocks.find(([first = '']) => head.test(first)) ?? [];
  const [first = '', ...result] = blockOf(HEAD);
  const [, task = '', label = '', chipId = ''] = HEAD.exec(first) ?? [];
  if (task === '') return null;
  const knowledge = knowledgeIn(instructions, task);
  return {
    task,
    label,
    chipId,
    qid: /^Q0*(0|[1-9]\d*)$/u.exec(label)?.[1] ?? null,
    parts: new Map<ResultPart, readonly string[]>([
      ['result', result],
      ['history', blockOf(/^Runs of /u).slice(1)],
      ['neighbours', blockOf(/^Qubits (?:next to|of) /u).slice(1)],
      ['couplings', blockOf(/^Couplings of /u).slice(1)],
      ['remedies', listIn(knowledge, 'Failure modes:')],
      ['meaning', knowledge.slice(0, 4)],
    ]),
  };
}

/** The lines on a task from where they begin to the next empty line or mark. */
function knowledgeIn(instructions: string, task: string): readonly string[] {
  const head = `What the lab knows of ${task}: `;
  const at = instructions.indexOf(head);
  if (at < 0) return [];
  const [text = ''] = instructions.slice(at + head.length).split(/\n\n|\n<\//u);
  return linesIn(text);
}

function listIn(lines: readonly string[], title: string): readonly string[] {
  const at = lines.indexOf(title);
  if (at < 0) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !line.startsWith('- '));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Words that point at the result of the conversation. */
const POINTS_AT_IT = new RegExp(words.taskResult.pointsAtIt, 'iu');
/** Words for each of its parts. */
const PARTS = Object.entries(words.taskResult.parts).map(([part, source]) => ({
  part: part as ResultPart,
  pattern: new RegExp(source, 'iu'),
}));

/** The parts that a question asks for; empty where it is about something else. */
export function partsAskedFor(written: string): readonly ResultPart[] {
  const question = readable(written).text;
  const { qids, metrics, chipId } = readSlots(question);
  const points = POINTS_AT_IT.test(question);
  const parts = PARTS.filter(({ pattern }) => pattern.test(question)).map(({ part }) => part);
  if (!points && (parts.length === 0 || qids.length + metrics.length > 0 || chipId !== null)) return [];
  const isAboutItself = parts.length === 0 || parts.includes('remedies') || parts.includes('history');
  return [...(isAboutItself ? (['result'] as const) : []), ...parts];
}

/** One list for each part; a part that the instructions do not have gets a sentence. */
export function resultText(
  result: TaskResult,
  asked: readonly ResultPart[],
  { t, resultLine }: AnswerWords,
): string {
  const { task, label, chipId: chip } = result;
  const texts = asked.map((part) => {
    const lines = result.parts.get(part) ?? [];
    const heading = t(`result.${part}`, { task, label, chip });
    if (lines.length === 0) return t('nothingKnown', { heading });
    const items = lines.map((line) => {
      const isItem = line.startsWith('- ');
      // Parameters are items below the line that introduces them.
      const indent = isItem && part === 'result' ? '  ' : '';
      return `${indent}- ${resultLine(isItem ? line.slice(2) : line)}`;
    });
    return [`${heading}:`, items.join('\n')].join('\n\n');
  });
  return texts.join('\n\n');
}

/** The worst rating among its outputs; a failed result is bad. */
export function resultAssessment({ parts }: TaskResult): Assessment | null {
  const lines = parts.get('result') ?? [];
  if (lines.some((line) => line.startsWith('Status: failed'))) return 'BAD';
  const from = lines.indexOf('Outputs:');
  const to = lines.findIndex((line) => line.startsWith('Inputs:') || line.startsWith('Run parameters:'));
  if (from < 0) return null;
  const found = lines
    .slice(from + 1, to < 0 ? undefined : to)
    .flatMap((line) => ratingAssessment(/, (excellent|good|fair|bad)\b/u.exec(line)?.[1] ?? '') ?? []);
  return ASSESSMENTS.findLast((assessment) => found.includes(assessment)) ?? null;
}
