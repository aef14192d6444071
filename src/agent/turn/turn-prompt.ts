/** Writes the prompt of a chat turn and collects the pictures that go with the question. */
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { SessionDataset } from '../../domain/datasets/dataset.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { FiguresService } from '../../services/calibration/figures.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import type { AnswerFormat, Settings } from '../../config/settings.ts';
import { countOf } from '../../domain/text/display-text.ts';
import type { EarlierTurn, MessagePicture, SessionDataEntry } from '../../stores/session-store.ts';
import { dataMarkOf } from '../prompt/data-marks.ts';
import { sometimes, type PromptSection } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { chatPrompt } from '../prompt/prompt.ts';
import { loadAnalysis } from './analysis-context.ts';
import { collectPictures, type TurnPictures } from './turn-pictures.ts';
import type { TurnSubject } from './turn-subject.ts';

/** All of it lives as long as the process. */
export type TurnPromptDeps = {
  readonly settings: Pick<Settings, 'copilot'>;
  readonly prompts: PromptTexts;
  readonly services: CalibrationServices;
  readonly knowledge: TaskKnowledgeService;
  readonly figures: FiguresService;
  readonly now: () => Date;
};

export type TurnFacts = {
  readonly viewer: Viewer;
  readonly session: Pick<Session, 'id' | 'taskId'>;
  readonly question: string;
  /** Pictures that came with the question. */
  readonly sent: readonly MessagePicture[];
  readonly subject: TurnSubject;
  readonly loaders: Loaders;
  readonly earlier: readonly EarlierTurn[];
  readonly datasets: readonly SessionDataset[];
  /** Results kept from earlier turns, oldest first. */
  readonly keptData: readonly SessionDataEntry[];
  readonly model: { readonly answerFormat: AnswerFormat; readonly supportsImages: boolean };
  readonly isDispute: boolean;
};

export type TurnPrompt = { readonly sections: readonly PromptSection[]; readonly pictures: TurnPictures };

export async function writeTurnPrompt(deps: TurnPromptDeps, facts: TurnFacts): Promise<TurnPrompt> {
  const { settings, services, knowledge, figures } = deps;
  const { viewer, session, question, subject, loaders, earlier, model, sent } = facts;
  const { result } = subject;
  const analysis = result === null ? null : await loadAnalysis({ services, loaders, knowledge }, result);
  const { supportsImages } = model;
  const pictures = await collectPictures({ viewer, figures, result, sent, supportsImages });
  const before = earlier.at(-1)?.question.text ?? '';
  const sections = chatPrompt(deps.prompts, {
    question,
    responseLanguage: settings.copilot.responseLanguage,
    thinkingLanguage: settings.copilot.thinkingLanguage,
    answerFormat: model.answerFormat,
    metrics: services.metrics.metrics,
    selectedChipId: subject.selectedChipId,
    chip: subject.chip,
    qubit: subject.qubit,
    goneTaskId: result === null ? session.taskId : null,
    projectId: viewer.projectId,
    datasets: facts.datasets,
    dataMark: dataMarkOf(session.id),
    knownTasks: knowledge.all,
    // A follow-up may be about a task that the previous question named.
    namedTasks: knowledge.namedIn(`${question}\n${before}`),
    analysis,
    pictures: pictures.labels,
    missingPictures: pictures.missing,
    isDispute: facts.isDispute,
    now: deps.now(),
  });
  return { sections: [...sections, ...keptDataSection(facts.keptData)], pictures };
}

/** Kept results that are listed: the newest ones, which a follow-up question is likely to mean. */
const LISTED_RESULTS = 20;

/** Lists the results that earlier turns kept, so that "now plot it" needs no second fetch. */
function keptDataSection(entries: readonly SessionDataEntry[]): readonly PromptSection[] {
  if (entries.length === 0) return [];
  const listed = entries.slice(-LISTED_RESULTS);
  const rest = entries.length - listed.length;
  const lines = [
    'Results kept from earlier in this conversation, oldest first, for execute_python_analysis and make_chart:',
    ...listed.map((entry) => `- ${keptDataLine(entry)}`),
    ...(rest > 0 ? [`${countOf(rest, 'older key')} not named.`] : []),
    'A result is as old as said here; fetch it again where newer values are wanted.',
  ];
  return [sometimes({ id: 'kept-data', text: lines.join('\n') })];
}

function keptDataLine({ key, bytes, updatedAt, freshness }: SessionDataEntry): string {
  const measured = freshness?.newestAt ? `, newest value measured ${minute(freshness.newestAt)}` : '';
  return `data[${JSON.stringify(key)}]: ${Math.ceil(bytes / 1000)} kB, kept ${minute(updatedAt)}${measured}`;
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
