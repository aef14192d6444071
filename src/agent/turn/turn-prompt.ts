/** Puts together what a turn's model is told before the conversation, and the pictures that go with the question. */
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { SessionDataset } from '../../domain/datasets/dataset.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { FiguresService } from '../../services/calibration/figures.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import type { AnswerFormat, Settings } from '../../config/settings.ts';
import type { EarlierTurn, MessagePicture } from '../../stores/session-store.ts';
import { newDataMark } from '../prompt/data-marks.ts';
import type { PromptSection } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { chatPrompt } from '../prompt/prompt.ts';
import { loadAnalysis } from './analysis-context.ts';
import { collectPictures, type TurnPictures } from './turn-pictures.ts';
import type { TurnSubject } from './turn-subject.ts';

/** What prompts are written from; all of it lives as long as the process. */
export type TurnPromptDeps = {
  readonly settings: Pick<Settings, 'copilot'>;
  readonly prompts: PromptTexts;
  readonly services: CalibrationServices;
  readonly knowledge: TaskKnowledgeService;
  readonly figures: FiguresService;
  readonly now: () => Date;
};

/** What is known of the turn. */
export type TurnFacts = {
  readonly viewer: Viewer;
  readonly session: Pick<Session, 'taskId'>;
  readonly question: string;
  /** Pictures that came with the question. */
  readonly sent: readonly MessagePicture[];
  readonly subject: TurnSubject;
  readonly loaders: Loaders;
  readonly earlier: readonly EarlierTurn[];
  readonly datasets: readonly SessionDataset[];
  readonly model: { readonly answerFormat: AnswerFormat; readonly supportsImages: boolean };
  readonly isDispute: boolean;
};

/** The instructions of a turn and its pictures. */
export type TurnPrompt = { readonly sections: readonly PromptSection[]; readonly pictures: TurnPictures };

/** Reads what the session's task result is judged by, if it has one, and writes the prompt. */
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
    dataMark: newDataMark(),
    knownTasks: knowledge.all,
    // A follow-up is about what the question before it named.
    namedTasks: knowledge.namedIn(`${question}\n${before}`),
    analysis,
    pictures: pictures.labels,
    missingPictures: pictures.missing,
    isDispute: facts.isDispute,
    now: deps.now(),
  });
  return { sections, pictures };
}
