/** Messages about alerts in words. Pure. */
import { countOf, formatDuration, formatTime } from '../text/display-text.ts';
import type { Alert } from './alert.ts';
import type { AlertAbout } from './destination.ts';
import type { AlertEvidence } from './evaluate.ts';
import { pageIn } from '../members/pages.ts';
import { headOf, type Message } from './message.ts';

/**
 * One message for all alerts that were due at once: that they opened, or that they recovered. `origin`: where people reach
 * QPilot, null where that is unknown.
 */
export type AlertNews = {
  readonly id: string;
  readonly at: Date;
  readonly about: AlertAbout;
  readonly projectId: string;
  /** Empty for a test. */
  readonly alerts: readonly Alert[];
  readonly origin: string | null;
};

/** A message names so many; the page has all. */
const LISTED = 20;

export const alertMessage = (news: AlertNews): Message => ({
  id: news.id,
  subject: subjectOf(news),
  lines: linesOf(news),
  link: linkOf(news),
  mail: mailText(news),
  data: dataOf(news),
});

/** What a message says of an alert; of one that recovered, by the value that ended it. */
const evidenceOf = ({ about }: AlertNews, { evidence, recovery }: Alert): AlertEvidence =>
  about === 'RECOVERED' ? (recovery ?? evidence) : evidence;

function subjectOf(news: AlertNews): string {
  const { alerts, about } = news;
  const [first] = alerts;
  if (first === undefined) return 'QPilot: a test message';
  const chips = [...new Set(alerts.map(({ chipId }) => chipId))].join(', ');
  return alerts.length === 1
    ? `QPilot, ${chips}${about === 'RECOVERED' ? ', recovered' : ''}: ${evidenceOf(news, first).words.split(';', 1)[0] ?? ''}`
    : `QPilot: ${countOf(alerts.length, 'alert')}${about === 'RECOVERED' ? ' recovered' : ''} on ${chips}`;
}

/** `open for 3 hours 25 minutes: … to …`; null for an opening. */
function lastedOf({ about }: AlertNews, { openedAt, closedAt }: Alert): string | null {
  if (about !== 'RECOVERED' || closedAt === null) return null;
  return `open for ${formatDuration(closedAt.getTime() - openedAt.getTime())}: ${formatTime(openedAt)} to ${formatTime(closedAt)}`;
}

/** The lines of a message, without links. */
function linesOf(news: AlertNews): readonly string[] {
  const { alerts } = news;
  if (alerts.length === 0) return ['Messages arrive here.'];
  const lines = alerts.slice(0, LISTED).map((alert) => {
    const said = [evidenceOf(news, alert).words, lastedOf(news, alert)].filter(Boolean).join('; ');
    return `${said} (${alert.ruleText})`;
  });
  const more = alerts.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

const urlOf = ({ origin, projectId }: AlertNews, path: string): string | null =>
  origin === null ? null : origin + pageIn(projectId, path);

const partUrl = (news: AlertNews, { chipId, kind, qid }: Alert): string | null =>
  urlOf(
    news,
    `/chips/${encodeURIComponent(chipId)}/${kind === 'QUBIT' ? 'qubits' : 'couplings'}/${encodeURIComponent(qid)}`,
  );

function linkOf(news: AlertNews): Message['link'] {
  const url = urlOf(news, '/alerts');
  return url === null ? null : { title: 'All open alerts', url };
}

/** The text of a mail. */
function mailText(news: AlertNews): string {
  const { alerts, about, projectId } = news;
  const link = linkOf(news);
  const lines = alerts.slice(0, LISTED).flatMap((alert) => {
    const url = partUrl(news, alert);
    const lasted = lastedOf(news, alert);
    return [
      `- ${evidenceOf(news, alert).words}`,
      ...(lasted === null ? [] : [`  ${lasted}`]),
      `  rule: ${alert.ruleText}`,
      ...(url === null ? [] : [`  ${url}`]),
    ];
  });
  const more = alerts.length - LISTED;
  return [
    ...(about === 'RECOVERED' ? ['Recovered:', ''] : []),
    ...(alerts.length === 0 ? linesOf(news) : lines),
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    ...(link === null ? [] : [`${link.title}: ${link.url}`]),
    `Project ${projectId}`,
    '',
  ].join('\n');
}

/** Everything as data. */
const dataOf = (news: AlertNews): object => ({
  ...headOf(
    news.alerts.length === 0 ? 'test' : news.about === 'RECOVERED' ? 'alerts.recovered' : 'alerts.opened',
    news,
  ),
  url: urlOf(news, '/alerts'),
  alerts: news.alerts.map((alert) => ({
    alertId: alert.id,
    ruleId: alert.ruleId,
    rule: alert.ruleText,
    chipId: alert.chipId,
    kind: alert.kind,
    partId: alert.qid,
    label: alert.label,
    parameter: alert.parameter,
    ...evidenceOf(news, alert),
    openedAt: alert.openedAt,
    ...(news.about === 'RECOVERED' && { closedAt: alert.closedAt }),
    url: partUrl(news, alert),
  })),
});
