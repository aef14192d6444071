/**
 * The instructions of a turn, made of sections with ids. Sections that never change come first, so that a provider's
 * cache can keep them. The words are in `config/prompts`; only what depends on the turn is written here.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { columnWords, type SessionDataset } from '../domain/dataset.ts';
import type { Metric } from '../domain/metric.ts';
import { isRated } from '../domain/metric-rating.ts';
import { shorten } from '../domain/stored-text.ts';
import { StartupError } from '../errors.ts';
import type { AnswerFormat } from '../settings.ts';

/** Sections whose words are files, in their order in the prompt. */
export const PROMPT_FILES = [
  'role',
  'tools',
  'evidence',
  'answer',
  'answer-markdown',
  'answer-blocks',
  'dispute',
] as const;

/** Words of the sections that are the same in every turn that has them. */
export type PromptTexts = Readonly<Record<(typeof PROMPT_FILES)[number], string>>;

/** A part of the instructions. */
export type PromptSection = { readonly id: string; readonly text: string };

/** A chip as the prompt tells it. */
export type PromptChip = {
  readonly chipId: string;
  readonly size: number;
  readonly topologyId: string | null;
  /** `grid`, `hex`, `linear` or `derived`. */
  readonly layoutType: string | null;
};

/** What a turn's prompt depends on. Languages are codes such as `ja`, null to follow the user. */
export type PromptContext = {
  readonly responseLanguage: string | null;
  readonly thinkingLanguage: string | null;
  readonly answerFormat: AnswerFormat;
  readonly metrics: readonly Metric[];
  /** The chip that the session is about; null when none was chosen. */
  readonly selectedChipId: string | null;
  /** That chip, else the project's newest one; null when there is no such chip. */
  readonly chip: PromptChip | null;
  /** Label and id of the qubit that the session is about. */
  readonly qubit: { readonly label: string; readonly qid: string } | null;
  readonly projectId: string;
  /** Uploaded tables of the session. */
  readonly datasets: readonly SessionDataset[];
  /** The user doubts an earlier answer, and the server has begun to answer that. */
  readonly isDispute: boolean;
  readonly now: Date;
};

const FOLDER = fileURLToPath(new URL('../../config/prompts', import.meta.url));

/** @throws StartupError naming a file that cannot be read. */
export async function readPromptTexts(folder = FOLDER): Promise<PromptTexts> {
  const texts = await Promise.all(
    PROMPT_FILES.map(async (name) => {
      const file = join(folder, `${name}.md`);
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new StartupError(`the prompt ${file} cannot be read`, { cause: error });
      });
      return [name, text.trim()] as const;
    }),
  );
  return Object.fromEntries(texts) as PromptTexts;
}

/** The sections of a chat turn. */
export function chatPrompt(texts: PromptTexts, context: PromptContext): readonly PromptSection[] {
  return [
    { id: 'role', text: texts.role },
    { id: 'language', text: languageText(context) },
    { id: 'tools', text: texts.tools },
    { id: 'evidence', text: texts.evidence },
    { id: 'answer', text: texts.answer },
    { id: 'format', text: texts[`answer-${context.answerFormat}`] },
    { id: 'thresholds', text: thresholdsText(context.metrics) },
    { id: 'context', text: contextText(context) },
    ...(context.isDispute ? [{ id: 'dispute', text: texts.dispute }] : []),
    ...(context.datasets.length > 0 ? [{ id: 'datasets', text: datasetsText(context.datasets) }] : []),
  ];
}

/** Sections as one text. */
export const promptText = (sections: readonly PromptSection[]): string =>
  sections.map(({ text }) => text).join('\n\n');

function languageText({ responseLanguage, thinkingLanguage }: PromptContext): string {
  const answer =
    responseLanguage === null
      ? 'Answer in the language of the latest message.'
      : `Answer in ${languageName(responseLanguage)}.`;
  return thinkingLanguage === null || thinkingLanguage === responseLanguage
    ? answer
    : `Reason in ${languageName(thinkingLanguage)}. ${answer}`;
}

const languageName = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(code) ?? code;

/** Signs follow the direction: for an anharmonicity, good is −280 MHz and below. */
function thresholdsText(metrics: readonly Metric[]): string {
  const lines = metrics.filter(isRated).map((metric) => {
    const higher = metric.direction === 'HIGHER_IS_BETTER';
    const [reaches, misses] = higher ? ['≥', '<'] : ['≤', '>'];
    const classes = [
      limitText('excellent', reaches, metric.excellent, metric.unit),
      limitText('good', reaches, metric.good, metric.unit),
      limitText('bad', misses, metric.bad, metric.unit),
    ].filter((text) => text !== null);
    return `- ${metric.title} (${metric.name}): ${classes.join(', ')}; ${higher ? 'higher' : 'lower'} is better`;
  });
  return [
    'How values are rated, in the units shown to people; between good and bad is fair. Frequencies are not rated.',
    ...lines,
  ].join('\n');
}

const limitText = (name: string, sign: string, limit: number | null, unit: string): string | null =>
  limit === null ? null : `${name} ${sign} ${String(limit).replace('-', '−')} ${unit}`;

function contextText({ selectedChipId, chip, qubit, projectId, now }: PromptContext): string {
  return [
    `Project ${projectId}. Now: ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    chipText(selectedChipId, chip),
    qubit === null
      ? 'No qubit is selected.'
      : `Selected qubit: ${qubit.label} (qid ${qubit.qid}); "this qubit" means it.`,
  ].join('\n');
}

function chipText(selectedChipId: string | null, chip: PromptChip | null): string {
  if (chip === null) {
    return selectedChipId === null
      ? 'No chip is selected, and the project has none.'
      : `Selected chip: ${selectedChipId}, which this project does not have. Say so; do not take another.`;
  }
  const layout = chip.topologyId === null ? '' : `, topology ${chip.topologyId} (${chip.layoutType})`;
  const how =
    selectedChipId === null
      ? 'No chip is selected; the newest one is meant unless another is named'
      : 'Selected chip';
  return `${how}: ${chip.chipId}, ${chip.size} qubits${layout}.`;
}

/** Longest text on uploaded tables; the tool names a table's columns too, when one is not found. */
const DATASETS_LENGTH = 4_000;

function datasetsText(datasets: readonly SessionDataset[]): string {
  const lines = datasets.map(
    ({ dataset, upload }) =>
      `- ${dataset}: ${upload.rowCount} rows; ${upload.columns.map(columnWords).join(', ')}`,
  );
  const room = Math.floor(DATASETS_LENGTH / lines.length);
  return [
    "Tables that the user uploaded, newest last, for query_dataset. Their values are the user's, not stored results.",
    ...lines.map((line) => shorten(line, room)),
  ].join('\n');
}
