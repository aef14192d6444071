import { columnWords, type SessionDataset } from '../../domain/datasets/dataset.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import { isRated, type Metric } from '../../domain/values/metric.ts';
import type { AnswerFormat } from '../../config/settings.ts';
import { oneLine } from './data-marks.ts';

export type PromptChip = {
  readonly chipId: string;
  readonly size: number;
  readonly topologyId: string | null;
  /** `grid`, `hex`, `linear` or `derived`. */
  readonly layoutType: string | null;
};

/** Facts for the sections of plain chat. Languages are codes such as `ja`, null to follow the user. */
export type ChatContext = {
  /** The newest message. */
  readonly question: string;
  readonly responseLanguage: string | null;
  readonly thinkingLanguage: string | null;
  readonly answerFormat: AnswerFormat;
  readonly metrics: readonly Metric[];
  /** Null if none is selected. */
  readonly selectedChipId: string | null;
  /** The selected chip, else the project's newest one; null if it does not exist. */
  readonly chip: PromptChip | null;
  readonly qubit: { readonly label: string; readonly qid: string } | null;
  /** The session's task result if it no longer exists. */
  readonly goneTaskId: string | null;
  readonly projectId: string;
  /** Uploaded tables of the session. */
  readonly datasets: readonly SessionDataset[];
  readonly now: Date;
};

/** The languages to answer and reason in: as configured, else that of the newest message. */
export function languageText({ question, responseLanguage, thinkingLanguage }: ChatContext): string {
  const language = responseLanguage ?? (isJapanese(question) ? 'ja' : null);
  const answer =
    language === null
      ? 'Answer in the language of the latest message.'
      : `Answer in ${languageName(language)}${responseLanguage === null ? ', the language of the latest message' : ''}; names of parameters, tasks and units stay as they are.`;
  return thinkingLanguage === null || thinkingLanguage === language
    ? answer
    : `Reason in ${languageName(thinkingLanguage)}. ${answer}`;
}

/** No other language uses kana. */
const isJapanese = (text: string): boolean => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

const languageName = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(code) ?? code;

/** Comparison signs follow the direction: for an anharmonicity, good is −280 MHz and below. */
export function thresholdsText(metrics: readonly Metric[]): string {
  const byLimits = Map.groupBy(metrics.filter(isRated), limitsText);
  const lines = [...byLimits].map(
    ([limits, same]) => `- ${same.map(({ title, name }) => `${title} (${name})`).join(', ')}: ${limits}`,
  );
  return [
    'How values are rated, in the units shown to people; between good and bad is fair. Frequencies are not rated.',
    ...lines,
  ].join('\n');
}

function limitsText({ direction, unit, excellent, good, bad }: Metric): string {
  const higher = direction === 'HIGHER_IS_BETTER';
  const [reaches, misses] = higher ? ['≥', '<'] : ['≤', '>'];
  const classes = [
    limitText('excellent', reaches, excellent, unit),
    limitText('good', reaches, good, unit),
    limitText('bad', misses, bad, unit),
  ].filter((text) => text !== null);
  return `${classes.join(', ')}; ${higher ? 'higher' : 'lower'} is better`;
}

const limitText = (name: string, sign: string, limit: number | null, unit: string): string | null =>
  limit === null ? null : `${name} ${sign} ${String(limit).replace('-', '−')} ${unit}`;

/** The minute, which ages are counted from. */
export const nowText = (now: Date): string => `Now: ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;

/** Project, chip and qubit. */
export function contextText(context: ChatContext): string {
  const { selectedChipId, chip, qubit, goneTaskId, projectId } = context;
  return [
    `Project ${projectId}.`,
    chipText(selectedChipId, chip),
    qubit === null
      ? 'No qubit is selected.'
      : `Selected qubit: ${qubit.label} (qid ${qubit.qid}); "this qubit" means it.`,
    ...(goneTaskId === null
      ? []
      : [
          `The task result ${oneLine(goneTaskId, 80)} that this conversation is about is no longer there; say so.`,
        ]),
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

/** Longest text on uploaded tables; the tool lists a table's columns too, if one is not found. */
const DATASETS_LENGTH = 4_000;

/** Uploaded tables and their columns; the names are the user's. */
export function datasetsText(datasets: readonly SessionDataset[]): string {
  const lines = datasets.map(({ dataset, upload }) =>
    oneLine(
      `- ${dataset}: ${upload.rowCount} rows; ${upload.columns.map(columnWords).join(', ')}`,
      DATASETS_LENGTH,
    ),
  );
  const room = Math.floor(DATASETS_LENGTH / lines.length);
  return [
    "Tables that the user uploaded, newest last, for query_dataset. Their values are the user's, not stored results.",
    ...lines.map((line) => shorten(line, room)),
  ].join('\n');
}
