import { connectionOf } from '../connections.ts';
import { Message } from '../refs.ts';

/** Messages of a page unless the client asks for another number. */
export const MESSAGES_PAGE_SIZE = 50;

export const MessageConnection = connectionOf(Message, 'messages, newest first');
