/** Messages about turns and jobs that ended: ids, status, times and usage, and a title where everybody may read it. Pure. */
import type { TokenTotals } from '../conversation/session.ts';
import type { JobStatus } from '../jobs/job.ts';
import { formatDuration } from '../text/display-text.ts';
import { isEndedJob, type EndedJob, type EndedTurn, type EndedWork } from './ended-work.ts';
import { conversationPage, pageIn } from '../members/pages.ts';
import { headOf, type Message } from './message.ts';

export type EndedNews = {
  readonly id: string;
  readonly at: Date;
  readonly projectId: string;
  readonly ended: EndedWork;
  /** Of its conversation, if that is shared with the project; null else. */
  readonly title: string | null;
  /** Where people reach QPilot, null where that is unknown. */
  readonly origin: string | null;
  /** An id as the API has it. */
  readonly idOf: (type: 'Turn' | 'CopilotSession' | 'BuilderSession' | 'Job', key: string) => string;
};

export function endedMessage(news: EndedNews): Message {
  const { ended } = news;
  return isEndedJob(ended) ? jobMessage(news, ended) : turnMessage(news, ended);
}

const JOB_WORDS: Readonly<Record<JobStatus, string>> = {
  CREATED: 'was queued',
  PROCESSING: 'is running',
  PENDING_REVIEW: 'awaits a review',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'was cancelled',
};

function jobMessage(news: EndedNews, job: EndedJob): Message {
  const { title, origin, projectId, idOf } = news;
  const jobId = idOf('Job', job.jobId);
  const link = origin === null ? null : origin + pageIn(projectId, `/jobs/${jobId}`);
  const words = `job${job.chipId === null ? '' : ` on ${job.chipId}`} ${JOB_WORDS[job.status]}`;
  const details = [
    title,
    job.errorCode,
    job.startedAt !== null && `took ${formatDuration(timeBetween(job.startedAt, job.finishedAt))}`,
  ].filter(Boolean);
  const line = details.length === 0 ? words : details.join('; ');
  return toMessage(news, {
    type: 'job.ended',
    subject: `QPilot: ${words}`,
    line,
    link: link === null ? null : { title: 'Open the job', url: link },
    data: {
      job: {
        jobId,
        run: job.run,
        status: job.status,
        errorCode: job.errorCode,
        expertId: job.expertId,
        chipId: job.chipId,
        ...costOf(job),
        ...(title !== null && { title }),
      },
    },
  });
}

function turnMessage(news: EndedNews, turn: EndedTurn): Message {
  const { title, origin, projectId, idOf } = news;
  const turnId = idOf('Turn', turn.turnId);
  const isBuilder = turn.kind === 'BUILDER';
  const conversationId = idOf(isBuilder ? 'BuilderSession' : 'CopilotSession', turn.conversationId);
  const path = isBuilder
    ? pageIn(projectId, `/jobs/new?builder=${conversationId}`)
    : `${conversationPage(projectId, conversationId)}?turn=${turnId}`;
  return toMessage(news, {
    type: 'turn.ended',
    subject: `QPilot: a turn ended as ${turn.status}`,
    line: [title, turn.errorCode].filter(Boolean).join('; '),
    link: origin === null ? null : { title: 'Open the conversation', url: origin + path },
    data: {
      turn: {
        turnId,
        conversationId,
        kind: turn.kind,
        status: turn.status,
        errorCode: turn.errorCode,
        ...costOf(turn),
        ...(title !== null && { title }),
      },
    },
  });
}

const toMessage = (
  news: EndedNews,
  {
    type,
    subject,
    line,
    link,
    data,
  }: Pick<Message, 'subject' | 'link' | 'data'> & { readonly type: string; readonly line: string },
): Message => ({
  id: news.id,
  subject,
  lines: [line],
  link,
  mail: [
    line,
    '',
    ...(link === null ? [] : [`${link.title}: ${link.url}`]),
    `Project ${news.projectId}`,
    '',
  ].join('\n'),
  data: { ...headOf(type, news), url: link?.url ?? null, ...data },
});

/** Model, times and usage, in milliseconds, tokens and US dollars. */
const costOf = ({ model, createdAt, startedAt, finishedAt, usage }: EndedWork) => ({
  model,
  createdAt: isoOf(createdAt),
  startedAt: startedAt === null ? null : isoOf(startedAt),
  finishedAt: isoOf(finishedAt),
  waitedMs: timeBetween(createdAt, startedAt ?? finishedAt),
  durationMs: startedAt === null ? 0 : timeBetween(startedAt, finishedAt),
  usage: usage === null ? null : totalsOf(usage),
});

const totalsOf = ({ inputTokens, outputTokens, cachedTokens, totalTokens, costUsd }: TokenTotals) => ({
  inputTokens,
  outputTokens,
  cachedTokens,
  totalTokens,
  costUsd,
});

const isoOf = (time: string): string => new Date(time).toISOString();
const timeBetween = (from: string, to: string): number =>
  Math.max(0, new Date(to).getTime() - new Date(from).getTime());
