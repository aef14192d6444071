import type { StoredKindName } from '../src/services/storage/kinds.ts';
import type { KindSize, StorageSizes } from '../src/services/storage/storage.ts';
import { builder } from './builder.ts';
import { enumOf } from './enums.ts';

const StoredKindEnum = enumOf<StoredKindName>('StoredKind', 'A kind of stored data.', {
  CONVERSATIONS: 'Conversations and builder sessions: turns, messages, summaries, drafts.',
  EVENTS: 'The events of conversations and jobs, which go with them.',
  TOOL_RESULTS: 'Results of tools, charts and tables, which go with their conversation or job.',
  PICTURES: 'Pictures sent with messages, which go with their conversation.',
  KEPT_RESULTS: 'Results that tools kept for later questions; they can be fetched again.',
  STEP_RECORDS: 'Model calls as they were sent.',
  JOBS: 'Jobs without their files.',
  WORKSPACES: 'Files of jobs.',
  UPLOADS: 'Uploaded tables and texts, from the last conversation that uses them on.',
  QUEUE: 'Entries of the queue of jobs, after the end of the run.',
  COUNTERS: 'Counters for limits.',
  AUDIT: 'Records of who did what, see `auditLog`.',
  PROJECTS: 'Saved experts and members of projects.',
  ALERTS: 'Alerts that ended, and messages about alerts.',
  ACCOUNTS: 'Users, their sessions and keys.',
  CALIBRATION: 'Calibration data in the embedded MongoDB; 0 if there is another one.',
  SANDBOX: 'Copies of what Python loads; those of other versions go.',
  SYSTEM: 'What does not grow: the versions of tables, files of the embedded PostgreSQL.',
});

const StoredSize = builder.objectRef<KindSize>('StoredSize').implement({
  description: 'The room that one kind of data takes.',
  fields: (t) => ({
    kind: t.expose('kind', { type: StoredKindEnum, description: 'What it is.' }),
    bytes: t.exposeFloat('bytes', {
      description:
        'Bytes on disk, with indexes. What is removed from a table makes room for new rows before it shrinks.',
    }),
    keptDays: t.exposeInt('keptDays', {
      nullable: true,
      description: 'Days after which it goes by itself; null for never.',
    }),
  }),
});

/** Implemented here, used by the viewer. */
export const StorageRef = builder.objectRef<StorageSizes>('Storage').implement({
  description: 'The room that data take.',
  fields: (t) => ({
    kinds: t.field({
      type: [StoredSize],
      description: 'By kind.',
      resolve: ({ kinds }) => [...kinds],
    }),
    freeBytes: t.exposeFloat('freeBytes', { description: 'Free bytes on the disk of the data folder.' }),
  }),
});
