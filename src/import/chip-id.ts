import { InvalidInputError } from '../base/errors.ts';

/** Ids are part of addresses, file names and answers. */
const CHIP_ID = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,99}$/u;

/**
 * The rule that all importers follow; `advice` ends the message.
 * @throws InvalidInputError for an id that no chip may have.
 */
export function requireChipId(chipId: string, advice = ''): void {
  if (CHIP_ID.test(chipId)) return;
  throw InvalidInputError.at(
    ['chipId'],
    `${JSON.stringify(chipId)} cannot be a chip id: it begins with a letter or digit and has at most 100 letters, digits, _, . and -${advice}`,
  );
}
