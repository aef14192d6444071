/** Messages about alerts, in the shapes that their receivers take. Pure. */
import { countOf, formatTime } from '../text/display-text.ts';
import type { Alert } from './alert.ts';
import type { DeliveryAbout, DestinationKind } from './destination.ts';
import type { AlertEvidence } from './evaluate.ts';

/**
 * One message for all alerts that were due at once: that they opened, or that they recovered. `origin`: where people reach
 * QPilot, null where that is unknown.
 */
export type AlertMessage = {
  readonly id: string;
  readonly at: Date;
  readonly about: DeliveryAbout;
  readonly projectId: string;
  /** Empty for a test. */
  readonly alerts: readonly Alert[];
  readonly origin: string | null;
};

/** A message names so many; the page has all. */
const LISTED = 20;

/** What a message says of an alert; of one that recovered, by the value that ended it. */
const evidenceOf = ({ about }: AlertMessage, { evidence, recovery }: Alert): AlertEvidence =>
  about === 'RECOVERED' ? (recovery ?? evidence) : evidence;

export const subjectOf = (message: AlertMessage): string => {
  const { alerts, about } = message;
  const [first] = alerts;
  if (first === undefined) return 'QPilot: a test message';
  const chips = [...new Set(alerts.map(({ chipId }) => chipId))].join(', ');
  return alerts.length === 1
    ? `QPilot, ${chips}${about === 'RECOVERED' ? ', recovered' : ''}: ${evidenceOf(message, first).words.split(';', 1)[0] ?? ''}`
    : `QPilot: ${countOf(alerts.length, 'alert')}${about === 'RECOVERED' ? ' recovered' : ''} on ${chips}`;
};

/** `open for 3 hours 25 minutes: … to …`; null for an opening. */
function lastedOf({ about }: AlertMessage, { openedAt, closedAt }: Alert): string | null {
  if (about !== 'RECOVERED' || closedAt === null) return null;
  return `open for ${durationOf(closedAt.getTime() - openedAt.getTime())}: ${formatTime(openedAt)} to ${formatTime(closedAt)}`;
}

/** `under a minute`, `25 minutes`, `3 hours 25 minutes`, `2 days 3 hours`. */
function durationOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'under a minute';
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const parts =
    days > 0
      ? [countOf(days, 'day'), hours > 0 && countOf(hours, 'hour')]
      : [hours > 0 && countOf(hours, 'hour'), minutes % 60 > 0 && countOf(minutes % 60, 'minute')];
  return parts.filter(Boolean).join(' ');
}

/** The lines of a message, without links. */
function linesOf(message: AlertMessage): readonly string[] {
  const { alerts } = message;
  if (alerts.length === 0) return ['Messages about alerts arrive here.'];
  const lines = alerts.slice(0, LISTED).map((alert) => {
    const said = [evidenceOf(message, alert).words, lastedOf(message, alert)].filter(Boolean).join('; ');
    return `${said} (${alert.ruleText})`;
  });
  const more = alerts.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

const pageOf = ({ origin }: AlertMessage): string | null => (origin === null ? null : `${origin}/alerts`);

const partUrl = (origin: string | null, { chipId, kind, qid }: Alert): string | null =>
  origin === null
    ? null
    : `${origin}/chips/${encodeURIComponent(chipId)}/${kind === 'QUBIT' ? 'qubits' : 'couplings'}/${encodeURIComponent(qid)}`;

/** The text of a mail. */
export function mailText(message: AlertMessage): string {
  const page = pageOf(message);
  const lines = message.alerts.slice(0, LISTED).flatMap((alert) => {
    const url = partUrl(message.origin, alert);
    const lasted = lastedOf(message, alert);
    return [
      `- ${evidenceOf(message, alert).words}`,
      ...(lasted === null ? [] : [`  ${lasted}`]),
      `  rule: ${alert.ruleText}`,
      ...(url === null ? [] : [`  ${url}`]),
    ];
  });
  const body = message.alerts.length === 0 ? linesOf(message) : lines;
  const more = message.alerts.length - LISTED;
  return [
    ...(message.about === 'RECOVERED' ? ['Recovered:', ''] : []),
    ...body,
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    ...(page === null ? [] : [`All open alerts: ${page}`]),
    `Project ${message.projectId}`,
    '',
  ].join('\n');
}

/** The JSON that a webhook is sent. */
export function webhookBody(kind: Exclude<DestinationKind, 'EMAIL'>, message: AlertMessage): object {
  switch (kind) {
    case 'SLACK':
      return slackBody(message);
    case 'TEAMS':
      return teamsBody(message);
    case 'MATTERMOST':
      return mattermostBody(message);
    case 'WEBHOOK':
      return ownBody(message);
  }
}

/** Slack takes 150 characters of a header and 3,000 of a section. */
function slackBody(message: AlertMessage): object {
  const page = pageOf(message);
  const link = page === null ? [] : [`<${page}|All open alerts>`];
  const sections = [...linesOf(message).map((line) => `• ${escapedForSlack(line)}`), ...link];
  return {
    text: subjectOf(message),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subjectOf(message).slice(0, 150) } },
      ...sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } })),
    ],
  };
}

const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An Adaptive Card, as workflows of Teams take it. */
function teamsBody(message: AlertMessage): object {
  const page = pageOf(message);
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(subjectOf(message), { weight: 'Bolder', size: 'Medium' }),
            ...linesOf(message).map((line) => block(escapedMarkdown(line))),
          ],
          ...(page !== null && {
            actions: [{ type: 'Action.OpenUrl', title: 'All open alerts', url: page }],
          }),
        },
      },
    ],
  };
}

function mattermostBody(message: AlertMessage): object {
  const page = pageOf(message);
  const lines = linesOf(message).map((line) => `- ${escapedMarkdown(line)}`);
  const link = page === null ? [] : [`[All open alerts](${page})`];
  return { text: [`**${escapedMarkdown(subjectOf(message))}**`, ...lines, ...link].join('\n') };
}

const escapedMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~]/gu, '\\$&');

/** Our own: everything as data. */
const ownBody = (message: AlertMessage): object => ({
  id: message.id,
  type:
    message.alerts.length === 0
      ? 'test'
      : message.about === 'RECOVERED'
        ? 'alerts.recovered'
        : 'alerts.opened',
  timestamp: message.at.toISOString(),
  projectId: message.projectId,
  url: pageOf(message),
  alerts: message.alerts.map((alert) => ({
    alertId: alert.id,
    ruleId: alert.ruleId,
    rule: alert.ruleText,
    chipId: alert.chipId,
    kind: alert.kind,
    partId: alert.qid,
    label: alert.label,
    parameter: alert.parameter,
    ...evidenceOf(message, alert),
    openedAt: alert.openedAt,
    ...(message.about === 'RECOVERED' && { closedAt: alert.closedAt }),
    url: partUrl(message.origin, alert),
  })),
});
