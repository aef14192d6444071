/** Writes the report from the notes: the task, the findings, the evidence, its limits, and the references. */
import { extremes } from '../../domain/claims/ranked.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import { bulletList, oneLine } from '../shared/text.ts';
import { expertKey, type StepKey } from './messages.ts';
import { labelOf, metricsOf, titleOf, type Job } from './job.ts';
import { findingOf, timesIn } from './section.ts';

/** What a report is written from. */
export type ReportParts = {
  readonly expertId: string;
  readonly job: Job;
  readonly task: string;
  /** With which a person sent the job back, oldest first. */
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
  const { expertId, job, task, reviewNotes, notes, left } = parts;
  const { t, now, request, chipId } = job;
  const { unsupported } = request;
  const unchecked = [
    ...t('uncheckedLines').split('\n'),
    ...(left.length === 0 ? [] : [t('noTools', { titles: left.map((key) => t(`title.${key}`)) })]),
  ];
  const quoted = unsupported.map((text) => t('quotation', { text: oneLine(text) }));
  return [
    `# ${t(`report.${expertKey(expertId)}`, { chip: chipId ?? t('newestChip') })}`,
    t('written', { time: now.toISOString().slice(0, 16).replace('T', ' ') }),
    t('task', { text: oneLine(task) }),
    ...reviewNotes.map((text, at) => t('reviewNote', { number: at + 1, text: oneLine(text) })),
    ...scopeLines(job),
    ...(quoted.length === 0 ? [] : [t('unsupported', { texts: quoted })]),
    `## ${t('result')}\n\n${bulletList(resultLines(notes, job))}`,
    ...notes.map((note) => sectionOf(note, job)),
    `## ${t('unchecked')}\n\n${bulletList(unchecked)}`,
    ...referenceLines(notes, job),
    '',
  ].join('\n\n');
}

/** What the job was narrowed to, if anything. */
function scopeLines(job: Job): readonly string[] {
  const { request, t } = job;
  const entities = request.parts.only.map(labelOf);
  const excluded = [...request.parts.less.map(labelOf), ...request.metrics.less.map(titleOf)];
  const parameters =
    request.metrics.only.length + request.metrics.more.length > 0 ? metricsOf(job).map(titleOf) : [];
  const { from = null, to = null } = request.period ?? {};
  const window = [
    ...(request.windowHours === null ? [] : [t('scopeWindow', { hours: request.windowHours })]),
    ...(from === null ? [] : [t('scopePeriod', { from: timeOf(from), to: to === null ? null : timeOf(to) })]),
  ];
  const included = [
    ...[parameters, rangesOf(entities)].map((names) => t('names', { names })).filter((names) => names !== ''),
    ...window,
    ...(request.among === null ? [] : [t('scopeAmong', { text: request.among.text })]),
  ].join(t('scopeSeparator'));
  return included === '' && excluded.length === 0 ? [] : [t('scope', { included, excluded })];
}

const timeOf = (iso: string): string => formatTime(new Date(iso));

/** `Q10 – Q20` instead of eleven names. */
function rangesOf(labels: readonly string[]): readonly string[] {
  const numbers = labels.map((label) => Number(label.slice(1)));
  const isRun =
    labels.length > 3 && numbers.every((each, at) => at === 0 || each === (numbers[at - 1] ?? 0) + 1);
  return isRun ? [`${labels[0] ?? ''} – ${labels.at(-1) ?? ''}`] : labels;
}

/** Findings first, then steps without a result, then how old the data is. */
function resultLines(notes: readonly string[], { t, claim, now }: Job): readonly string[] {
  const span = extremes(
    notes.flatMap((note) => timesIn(note, t)),
    (time) => Date.parse(`${time.replace(' ', 'T')}Z`),
  );
  return [
    ...new Set(notes.map(findingOf)),
    span === null
      ? t('noTime')
      : claim('claim.allFrom', [span], {
          from: span.lowest[0] ?? '',
          to: span.highest[0] ?? '',
          age: Math.max(0, now.getTime() - span.high) / 3_600_000,
        }),
  ];
}

const partsOf = (note: string): readonly string[] =>
  note
    .split('\n\n')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A note as a section, with the numbers of its references; the references themselves are at the end of the report. */
function sectionOf(note: string, { t }: Job): string {
  const [title = '', finding = '', ...parts] = partsOf(note);
  const numbers = parts.flatMap((part) =>
    part.split('\n').flatMap((line) => REFERENCE.exec(line)?.[1] ?? []),
  );
  const body = parts.filter((part) => !REFERENCE.test(part));
  const cited =
    numbers.length === 0 ? [] : [t('records', { numbers: numbers.map((number) => `[${number}]`).join(' ') })];
  return [title.replace(/^# /u, '## '), finding, ...body, ...cited].join('\n\n');
}

/** All references of the notes, each once, in the order of their numbers. */
function referenceLines(notes: readonly string[], { t }: Job): readonly string[] {
  const lines = notes.flatMap((note) => note.split('\n'));
  const numbered = lines.flatMap((line) => {
    const number = REFERENCE.exec(line)?.[1];
    return number === undefined ? [] : [[Number(number), line] as const];
  });
  const references = [...new Map(numbered)].toSorted(([a], [b]) => a - b).map(([, line]) => line);
  return references.length === 0 ? [] : [`## ${t('references')}\n\n${references.join('\n\n')}`];
}

/** The review notes that a report repeats, oldest first. */
export const reviewNotesIn = (report: string): readonly string[] =>
  [...report.matchAll(REVIEW_NOTE)].map(([, text]) => text ?? '');

/** The findings of a report, for the text that ends its job. */
export function resultOf(report: string, heading: string): string {
  const after = report.split(`## ${heading}\n\n`)[1] ?? '';
  return after.split('\n\n## ', 1)[0]?.trim() ?? '';
}
