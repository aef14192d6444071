import { builder } from '../builder.ts';
import { Message } from '../refs.ts';

/** Messages of a page when the client names no number. */
export const MESSAGES_PAGE_SIZE = 50;

export const MessageConnection = builder.connectionObject(
  { type: Message, name: 'MessageConnection', description: 'A page of messages, newest first.' },
  { name: 'MessageEdge', description: 'A message with its cursor.' },
);
