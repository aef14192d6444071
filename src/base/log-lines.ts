import type { DestinationStream } from 'pino';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Writes lines of JSON from pino as lines for people: the local time, the level unless it is `info`, words, fields. */
export const forPeople = (write: (line: string) => void): DestinationStream => ({
  write: (json) => write(lineForPeople(json)),
});

function lineForPeople(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const name = LEVELS[Number(level)] ?? String(level);
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`);
  const words = [
    new Date(Number(time)).toTimeString().slice(0, 8),
    ...(name === 'info' ? [] : [name.toUpperCase()]),
    ...(typeof msg === 'string' ? [msg] : []),
    ...rest,
  ];
  return [words.join(' '), ...errorLines(err), ''].join('\n');
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value);

/** Message and stack of an error and of its causes; indented, so that the next line of the log is easily found. */
function errorLines(error: unknown): readonly string[] {
  if (error === null || typeof error !== 'object')
    return error === undefined ? [] : [`  ${valueText(error)}`];
  const { stack, message, cause } = error as Record<string, unknown>;
  const text = typeof stack === 'string' ? stack : typeof message === 'string' ? message : valueText(error);
  const lines = text.split('\n').map((line) => `  ${line}`);
  return [...lines, ...(cause === undefined ? [] : ['  caused by', ...errorLines(cause)])];
}
