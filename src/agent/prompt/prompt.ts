/**
 * The instructions of a chat turn as sections with ids: role and method, language, task knowledge, thresholds, the
 * subject of the conversation with the stored values of its task result, and the form of the answer. Fixed texts are
 * files; the sections' own modules write what depends on the turn. Nothing here reads a store.
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

export type PromptContext = ChatContext & {
  /** Encloses text of databases and users; new for each turn. */
  readonly dataMark: string;
  /** All tasks with knowledge. */
  readonly knownTasks: readonly TaskKnowledge[];
  /** Tasks that the message names; the prompt includes all of their knowledge. */
  readonly namedTasks: readonly TaskKnowledge[];
  /** The session's task result with its context; null in plain chat. */
  readonly analysis: AnalysisContext | null;
  /** Labels of the pictures with the message, in order. */
  readonly pictures: readonly string[];
  /** Notes on pictures of the result that are missing. */
  readonly missingPictures: readonly string[];
  /** The user disputes an earlier answer, and the preflight has compared its values. */
  readonly isDispute: boolean;
};

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
    ...relevantKnowledge(context).map((each) => ({ id: 'task-knowledge', text: knowledgeText(each) })),
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

/** Nobody asks about more than two tasks in depth in one message. */
const MAX_TASKS = 2;

function relevantKnowledge({ analysis, namedTasks }: PromptContext): readonly TaskKnowledge[] {
  const own = analysis?.knowledge ?? null;
  const others = namedTasks.filter(({ taskName }) => taskName !== own?.taskName);
  return [...(own === null ? [] : [own]), ...others].slice(0, MAX_TASKS);
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
