/**
 * The prompt of a chat turn, as sections with ids: first role and method, thresholds, the form of the answer and the subject
 * of the conversation, which its turns share; then what belongs to the message: time, language, task knowledge and the
 * stored values of the task result. Fixed texts are files; the sections' own modules write what depends on the turn.
 * Nothing here reads a store.
 */
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import { analysisSections, asksForReview, type AnalysisContext } from './analysis-sections.ts';
import {
  contextText,
  datasetsText,
  languageText,
  nowText,
  thresholdsText,
  type ChatContext,
} from './chat-sections.ts';
import { dataRule, marked } from './data-marks.ts';
import { knowledgeIndex, knowledgeText } from './knowledge-section.ts';
import { always, sometimes, type PromptSection } from './prompt-section.ts';
import type { PromptTexts } from './prompt-texts.ts';

export type PromptContext = ChatContext & {
  /** Encloses text of databases and users; the same in all turns of a session. */
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
    ...(knownTasks.length > 0 ? [{ id: 'known-tasks', text: knowledgeIndex(knownTasks) }] : []),
    { id: 'thresholds', text: thresholdsText(context.metrics) },
    { id: 'answer', text: texts.answer },
    { id: 'format', text: texts[`answer-${context.answerFormat}`] },
    ...(analysis === null ? [] : [{ id: 'analysis', text: texts.analysis }]),
    { id: 'context', text: contextText(context) },
    ...[
      { id: 'language', text: languageText(context) },
      ...relevantKnowledge(context).map((each) => ({
        id: `task-knowledge ${each.taskName}`,
        text: knowledgeText(each),
      })),
      ...(hasData ? [{ id: 'data-rule', text: dataRule(dataMark) }] : []),
      ...(analysis === null ? [] : analysisSections(analysis, dataMark, context.now)),
      ...(datasets.length > 0 ? [{ id: 'datasets', text: marked(dataMark, datasetsText(datasets)) }] : []),
    ].map(sometimes),
    ...[
      ...picturesSection(context),
      ...(analysis !== null && asksForReview(question) ? [{ id: 'review', text: texts.review }] : []),
      ...(context.isDispute ? [{ id: 'dispute', text: texts.dispute }] : []),
      { id: 'now', text: nowText(context.now) },
    ].map(always),
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
