/** Values that members know to be bad. Only pages heed it: health, answers and charts do not change by it. */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Mute } from '../../domain/records/mute.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { lockName } from '../../stores/pg/named-lock.ts';
import { deleteMute, listMutes, putMute } from '../../stores/pg/mutes.ts';
import { checkInput, toKeptWords } from '../copilot/copilot-input.ts';
import type { CalibrationServices } from './calibration-services.ts';

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
/** All of a chip are read at once. */
const PER_CHIP = 500;

const of = z.object({
  chipId: z.string(),
  partId: z.string().max(50),
  parameter: z
    .string()
    .min(1, 'must not be empty; leave it out for all values')
    .max(200)
    .nullish()
    .transform((name) => name ?? null),
});
const muteInput = of.extend({
  reason: z
    .string()
    .trim()
    .min(1, 'must not be blank: say why it is known')
    .max(300, 'must have at most 300 characters')
    .transform(toKeptWords),
  until: z.date(),
});
export type MuteInput = z.input<typeof muteInput>;
export type UnmuteInput = z.input<typeof of>;

export type Mutes = ReturnType<typeof createMutes>;

type MutesDeps = {
  readonly db: Db;
  readonly calibration: Pick<CalibrationServices, 'chips' | 'qubits' | 'couplings'>;
  readonly now: () => Date;
};

export function createMutes({ db, calibration, now }: MutesDeps) {
  const list = (viewer: Viewer, chipId: string): Promise<Mute[]> =>
    listMutes(db, viewer.projectId, chipId, now());

  /** The part by the id that its values have. @throws NotFoundError for one that the chip does not have */
  const partOf = async (chip: Chip, written: string): Promise<string> =>
    written.includes('-')
      ? (await calibration.couplings.get(chip, written)).coupling.couplingId
      : (await calibration.qubits.get(chip, written)).qid;

  return {
    /** What is muted of a chip now, the first to end first. @throws NotFoundError for a chip of another project */
    ofChip: async (viewer: Viewer, chipId: string): Promise<Mute[]> =>
      list(viewer, (await calibration.chips.get(viewer, chipId)).chipId),

    /** Mutes a value, or all of a part. @throws InvalidInputError, NotFoundError */
    async add(viewer: Viewer, input: MuteInput): Promise<Mute[]> {
      const { chipId, partId, parameter, reason, until } = checkInput(muteInput, input);
      const mutedAt = now();
      const days = (until.getTime() - mutedAt.getTime()) / DAY_MS;
      if (!(days > 0 && days <= MAX_DAYS))
        throw InvalidInputError.at(['input', 'until'], `must be in the future, within ${MAX_DAYS} days`);
      const chip = await calibration.chips.get(viewer, chipId);
      const mute = { chipId, parameter, reason, until, mutedAt, mutedBy: viewer.id };
      const part = await partOf(chip, partId);
      await transact(db, async (tx) => {
        await lockName(tx, `mutes of ${viewer.projectId}`);
        const known = await listMutes(tx, viewer.projectId, chipId, mutedAt);
        const isNew = !known.some((each) => each.partId === part && each.parameter === parameter);
        if (isNew && known.length >= PER_CHIP)
          throw InvalidInputError.at(
            ['input'],
            `${PER_CHIP} values of ${chipId} are muted; unmute some first`,
          );
        await putMute(tx, viewer.projectId, { ...mute, partId: part });
      });
      return list(viewer, chipId);
    },

    /** Shows it again; done, too, where nothing was muted. */
    async remove(viewer: Viewer, input: UnmuteInput): Promise<Mute[]> {
      const muted = checkInput(of, input);
      await deleteMute(db, viewer.projectId, muted);
      return list(viewer, muted.chipId);
    },
  };
}
