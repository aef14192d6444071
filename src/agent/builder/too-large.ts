import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { TurnError } from '../../domain/conversation/session.ts';

/**
 * The error of a turn that could not begin, with the size of each artifact where its request was too large: artifacts are
 * always sent as they are, so only the user can make room.
 */
export function withSizes(error: TurnError, { instructions, config, description }: Artifacts): TurnError {
  if (error.code !== 'CONTEXT_TOO_LARGE') return error;
  const settings = config === null ? '' : JSON.stringify(config, null, 2);
  const sizes = [
    `the instructions have ${characters(instructions ?? '')}`,
    `the settings ${characters(settings)}`,
    `the description ${characters(description ?? '')}`,
  ];
  return { ...error, message: `${error.message}. Of the artifacts ${sizes.join(', ')}.` };
}

const characters = (text: string): string => `${text.length.toLocaleString('en-US')} characters`;
