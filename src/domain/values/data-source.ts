/** Where the rows behind a result came from. */
export const DATA_SOURCES = [
  'SNAPSHOT',
  'LIVE',
  'SANDBOX',
  'DATASET',
  'NOTES',
  'KNOWLEDGE',
  'CONFIG',
  'WEB',
] as const;
/** One of {@link DATA_SOURCES}. */
export type DataSource = (typeof DATA_SOURCES)[number];
