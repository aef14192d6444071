/**
 * The instructions of a turn, made of sections with ids, in the order: who you are and how to work, language, task
 * knowledge, thresholds, what the conversation is about with the stored values of its task result, how to answer. Words
 * are files; what depends on the turn is written by the sections' own files. Nothing here reads a store.
 */
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import { analysisSections, asksForReview, type AnalysisContext } from './analysis-sections.ts';
import {
  contextText,
  datasetsText,
  languageText,
  thresholdsText,
  type ChatContext,
} from './chat-sections.ts';
import { dataRule, marked } from './data-marks.ts';
import { knowledgeIndex, knowledgeText } from './knowledge-section.ts';
import type { PromptSection } from './prompt-section.ts';
import type { PromptTexts } from './prompt-texts.ts';

/** What a turn's prompt depends on. */
export type PromptContext = ChatContext & {
  /** Between it stands what databases and users wrote; made anew for each turn. */
  readonly dataMark: string;
  /** All tasks that something is known of. */
  readonly knownTasks: readonly TaskKnowledge[];
  /** Those that the message names; of these the prompt tells everything. */
  readonly namedTasks: readonly TaskKnowledge[];
  /** The task result that the conversation is about, with what it is judged by; null in plain chat. */
  readonly analysis: AnalysisContext | null;
  /** What each picture beside the message is, in their order. */
  readonly pictures: readonly string[];
  /** Why pictures of the result are not there, for those that are not. */
  readonly missingPictures: readonly string[];
  /** The user doubts an earlier answer, and the server has begun to answer that. */
  readonly isDispute: boolean;
};

/** The sections of a turn of copilot chat, about a task result or not. */
export function chatPrompt(texts: PromptTexts, context: PromptContext): readonly PromptSection[] {
  const { analysis, datasets, dataMark, knownTasks, question } = context;
  const hasData = analysis !== null || datasets.length > 0;
  return [
    { id: 'role', text: texts.role },
    { id: 'tools', text: texts.tools },
    { id: 'evidence', text: texts.evidence },
    ...(analysis === null ? [] : [{ id: 'analysis', text: texts.analysis }]),
    { id: 'language', text: languageText(context) },
    ...(knownTasks.length > 0 ? [{ id: 'known-tasks', text: knowledgeIndex(knownTasks) }] : []),
    ...knowledgeToTell(context).map((each) => ({ id: 'task-knowledge', text: knowledgeText(each) })),
    { id: 'thresholds', text: thresholdsText(context.metrics) },
    { id: 'context', text: contextText(context) },
    ...(hasData ? [{ id: 'data-rule', text: dataRule(dataMark) }] : []),
    ...(analysis === null ? [] : analysisSections(analysis, dataMark, context.now)),
    ...(datasets.length > 0 ? [{ id: 'datasets', text: marked(dataMark, datasetsText(datasets)) }] : []),
    ...picturesSection(context),
    ...(analysis !== null && asksForReview(question) ? [{ id: 'review', text: texts.review }] : []),
    { id: 'answer', text: texts.answer },
    { id: 'format', text: texts[`answer-${context.answerFormat}`] },
    ...(context.isDispute ? [{ id: 'dispute', text: texts.dispute }] : []),
  ];
}

/** More than two tasks in one message are not asked about in depth. */
const TOLD_TASKS = 2;

function knowledgeToTell({ analysis, namedTasks }: PromptContext): readonly TaskKnowledge[] {
  const own = analysis?.knowledge ?? null;
  const others = namedTasks.filter(({ taskName }) => taskName !== own?.taskName);
  return [...(own === null ? [] : [own]), ...others].slice(0, TOLD_TASKS);
}

function picturesSection({ pictures, missingPictures }: PromptContext): readonly PromptSection[] {
  const lines = [
    ...(pictures.length === 0
      ? []
      : [
          'Pictures beside the newest message, in order:',
          ...pictures.map((what, at) => `${at + 1}. ${what}`),
        ]),
    ...missingPictures,
  ];
  return lines.length === 0 ? [] : [{ id: 'pictures', text: lines.join('\n') }];
}
