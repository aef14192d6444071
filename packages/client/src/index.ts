export {
  createQPilot,
  untilAnswered,
  type Asked,
  type QPilot,
  type Question,
  type Uploaded,
} from './client.ts';
export { createConnection, type Connection } from './connection.ts';
export * from './errors.ts';
export type { SessionEvent } from './events.ts';
export type { FollowOptions, LiveStatus, WatchWaking } from './follow-log.ts';
export type { OwnProject, RequestOptions } from './http.ts';
export type { Operation } from './operation.ts';
export type { ServerOptions } from './server.ts';
