/** A message to a destination, and the shapes in which products take one. Pure. */
import type { DestinationKind } from './destination.ts';

/** What is said, whatever its shape. */
export type Message = {
  /** Receivers see it, too. */
  readonly id: string;
  readonly subject: string;
  /** For chats. */
  readonly lines: readonly string[];
  /** Null where it is unknown where people reach QPilot. */
  readonly link: { readonly title: string; readonly url: string } | null;
  readonly mail: string;
  /** Our own JSON. */
  readonly data: object;
};

/** Of our own JSON. It is raised where a receiver of before would misread a message; fields may be added. */
const VERSION = 1;

/** What all messages of our own JSON begin with. */
export const headOf = (
  type: string,
  message: { readonly id: string; readonly at: Date; readonly projectId: string },
) => ({
  id: message.id,
  type,
  version: VERSION,
  timestamp: message.at.toISOString(),
  projectId: message.projectId,
});

/** The JSON that a webhook is sent. */
export function webhookBody(kind: Exclude<DestinationKind, 'EMAIL'>, message: Message): object {
  switch (kind) {
    case 'SLACK':
      return slackBody(message);
    case 'TEAMS':
      return teamsBody(message);
    case 'MATTERMOST':
      return mattermostBody(message);
    case 'WEBHOOK':
      return message.data;
  }
}

/** Slack takes 150 characters of a header and 3,000 of a section. */
function slackBody({ subject, lines, link }: Message): object {
  const links = link === null ? [] : [`<${link.url}|${link.title}>`];
  const sections = [...lines.map((line) => `• ${escapedForSlack(line)}`), ...links];
  return {
    text: subject,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subject.slice(0, 150) } },
      ...sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } })),
    ],
  };
}

const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An Adaptive Card, as workflows of Teams take it. */
function teamsBody({ subject, lines, link }: Message): object {
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
            block(subject, { weight: 'Bolder', size: 'Medium' }),
            ...lines.map((line) => block(escapedMarkdown(line))),
          ],
          ...(link !== null && {
            actions: [{ type: 'Action.OpenUrl', title: link.title, url: link.url }],
          }),
        },
      },
    ],
  };
}

function mattermostBody({ subject, lines, link }: Message): object {
  const links = link === null ? [] : [`[${link.title}](${link.url})`];
  const items = lines.map((line) => `- ${escapedMarkdown(line)}`);
  return { text: [`**${escapedMarkdown(subject)}**`, ...items, ...links].join('\n') };
}

const escapedMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~]/gu, '\\$&');
