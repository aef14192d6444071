/** From the notes of a job to its report: what was asked, what was found, the evidence, its limits, and the references. */
import { findingOf, timesIn } from './step.ts';
import type { StepKey } from './step-key.ts';
import { titleOf, type Subject } from './subject.ts';

/** What a report is written from. */
export type ReportParts = {
  readonly expertId: string;
  readonly subject: Subject;
  readonly task: string;
  /** With which a person sent the work back, oldest first. */
  readonly reviewNotes: readonly string[];
  /** Texts of the notes, in their order. */
  readonly notes: readonly string[];
  /** Steps for which the expert has no tools. */
  readonly left: readonly StepKey[];
};

const REFERENCE = /^\[(\d+)\] /u;
const REVIEW_NOTE = /^(?:Review note|差し戻しのコメント) \d+: (.+)$/gmu;

/** The report as Markdown. */
export function reportText(parts: ReportParts): string {
  const { expertId, subject, task, reviewNotes, notes, left } = parts;
  const { words, now, brief } = subject;
  const { report } = words;
  const unchecked = [
    ...report.uncheckedLines,
    ...(left.length === 0 ? [] : [report.noTools(left.map((key) => words.steps[key].title))]),
  ];
  return [
    `# ${report.title(expertId, subject.chipId)}`,
    report.written(now.toISOString().slice(0, 16).replace('T', ' ')),
    report.task(oneLine(task)),
    ...reviewNotes.map((text, at) => report.reviewNote(at + 1, oneLine(text))),
    ...scopeLines(subject),
    ...(brief.unfollowed.length === 0 ? [] : [report.unfollowed(brief.unfollowed.map(oneLine))]),
    `## ${report.result}\n\n${listOf(resultLines(notes, subject))}`,
    ...notes.filter((note) => !isEmpty(note)).map((note) => sectionOf(note, subject)),
    `## ${report.unchecked}\n\n${listOf(unchecked)}`,
    ...referenceLines(notes, subject),
    '',
  ].join('\n\n');
}

/** A text as it stands in a report. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** What the job was narrowed to; nothing where it was not. */
function scopeLines({ brief, windowHours, words, metrics }: Subject): readonly string[] {
  const entities = brief.qids.map(entityOf);
  const excluded = [...brief.excludedQids.map(entityOf), ...brief.lessMetrics.map(titleOf)];
  const parameters = brief.metrics.length + brief.moreMetrics.length > 0 ? metrics.map(titleOf) : [];
  const window = brief.windowHours === null ? null : windowHours;
  if (entities.length + excluded.length + parameters.length === 0 && window === null) return [];
  return [words.report.scope({ parameters, entities: rangesOf(entities), excluded, windowHours: window })];
}

const entityOf = (qid: string): string => qid.replaceAll(/\d+/gu, (digits) => `Q${digits.padStart(2, '0')}`);

/** `Q10 – Q20` in place of eleven names. */
function rangesOf(labels: readonly string[]): readonly string[] {
  const numbers = labels.map((label) => Number(label.slice(1)));
  const isRun =
    labels.length > 3 && numbers.every((each, at) => at === 0 || each === (numbers[at - 1] ?? 0) + 1);
  return isRun ? [`${labels[0] ?? ''} – ${labels.at(-1) ?? ''}`] : labels;
}

/** Findings first, then what nothing can be said on, then how old all of it is. */
function resultLines(notes: readonly string[], { words: { report }, now }: Subject): readonly string[] {
  const findings = notes.map(findingOf);
  const nothing = findings.filter(({ isNothing }) => isNothing).map(({ text }) => text);
  const times = notes.flatMap((note) => timesIn(note, report)).toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  const hours =
    newest === undefined ? 0 : (now.getTime() - Date.parse(`${newest.replace(' ', 'T')}Z`)) / 3_600_000;
  return [
    ...findings.filter(({ isNothing }) => !isNothing).map(({ text }) => text),
    ...(nothing.length === 0 ? [] : [report.nothingOn(nothing)]),
    oldest === undefined || newest === undefined
      ? report.noTime
      : report.allFrom(oldest, newest, Math.max(0, hours)),
  ];
}

/** Whether a note holds nothing but that nothing was found. */
const isEmpty = (note: string): boolean => findingOf(note).isNothing && partsOf(note).length <= 2;

const partsOf = (note: string): readonly string[] =>
  note
    .split('\n\n')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A note as a section; its references stand at the end, where only their numbers are told. */
function sectionOf(note: string, { words }: Subject): string {
  const [title = '', finding = '', ...parts] = partsOf(note);
  const numbers = parts.flatMap((part) =>
    part.split('\n').flatMap((line) => REFERENCE.exec(line)?.[1] ?? []),
  );
  const body = parts.filter((part) => !REFERENCE.test(part));
  const cited = numbers.length === 0 ? [] : [words.report.records(numbers.map((number) => `[${number}]`))];
  return [title.replace(/^# /u, '## '), finding, ...body, ...cited].join('\n\n');
}

/** All references of the notes, each once, in the order of their numbers. */
function referenceLines(notes: readonly string[], { words }: Subject): readonly string[] {
  const lines = notes.flatMap((note) => note.split('\n'));
  const numbered = lines.flatMap((line) => {
    const number = REFERENCE.exec(line)?.[1];
    return number === undefined ? [] : [[Number(number), line] as const];
  });
  const references = [...new Map(numbered)].toSorted(([a], [b]) => a - b).map(([, line]) => line);
  return references.length === 0 ? [] : [`## ${words.report.references}\n\n${references.join('\n\n')}`];
}

/** With which notes the work was sent back before this report, as it says itself; oldest first. */
export const reviewNotesIn = (report: string): readonly string[] =>
  [...report.matchAll(REVIEW_NOTE)].map(([, text]) => text ?? '');

/** The findings of a report, for the words that end its job. */
export function resultOf(report: string, heading: string): string {
  const after = report.split(`## ${heading}\n\n`)[1] ?? '';
  return after.split('\n\n## ', 1)[0]?.trim() ?? '';
}
