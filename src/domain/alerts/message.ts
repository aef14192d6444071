/** Messages about alerts, in the shapes that their receivers take. Pure. */
import { countOf } from '../text/display-text.ts';
import type { Alert } from './alert.ts';
import type { DestinationKind } from './destination.ts';

/** One message for all alerts that were due at once; `origin`: where people reach QPilot, null where that is unknown. */
export type AlertMessage = {
  readonly id: string;
  readonly at: Date;
  readonly projectId: string;
  /** Empty for a test. */
  readonly alerts: readonly Alert[];
  readonly origin: string | null;
};

/** A message names so many; the page has all. */
const LISTED = 20;

export const subjectOf = ({ alerts }: AlertMessage): string => {
  const [first] = alerts;
  if (first === undefined) return 'QPilot: a test message';
  const chips = [...new Set(alerts.map(({ chipId }) => chipId))].join(', ');
  return alerts.length === 1
    ? `QPilot, ${chips}: ${first.evidence.words.split(';', 1)[0] ?? ''}`
    : `QPilot: ${countOf(alerts.length, 'alert')} on ${chips}`;
};

/** The lines of a message, without links. */
function linesOf(message: AlertMessage): readonly string[] {
  const { alerts } = message;
  if (alerts.length === 0) return ['Messages about alerts arrive here.'];
  const lines = alerts.slice(0, LISTED).map(({ evidence, ruleText }) => `${evidence.words} (${ruleText})`);
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
    return [`- ${alert.evidence.words}`, `  rule: ${alert.ruleText}`, ...(url === null ? [] : [`  ${url}`])];
  });
  const body = message.alerts.length === 0 ? linesOf(message) : lines;
  const more = message.alerts.length - LISTED;
  return [
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
  type: message.alerts.length === 0 ? 'test' : 'alerts.opened',
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
    ...alert.evidence,
    openedAt: alert.openedAt,
    url: partUrl(message.origin, alert),
  })),
});
