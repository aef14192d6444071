import type { Chip } from '../../domain/chip/chip.ts';
import { isCouplingId, twinOf } from '../../domain/qid.ts';
import { newestNotes } from '../../domain/records/notes.ts';
import type { HumanNote, MachineNote, MachineNoteFilter } from '../../domain/records/notes.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage, type FilteredPageRequest, type Page } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService } from './couplings.ts';
import type { QubitsService } from './qubits.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

/** How many of the newest task results are searched for remarks; older remarks are only on the results. */
const TASK_RESULT_NOTES = 100;

/** Notes of machines and of people. */
export function createNotes(deps: {
  readonly store: CalibrationStore;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
}) {
  const { store, qubits, couplings } = deps;
  return {
    /** What the control software recorded for runs. @throws InvalidInputError for a bad cursor */
    async machine(
      chip: Chip,
      { filter, first, after }: FilteredPageRequest<MachineNoteFilter>,
    ): Promise<Page<MachineNote>> {
      const limit = rowsToRead(first);
      const slice = await store.machineNoteSlice({
        ...scopeOf([chip]),
        filter: filter ?? {},
        limit,
        after: decodeTimeCursor(after),
      });
      return toPage(slice, first, ({ row, cursor }) => ({ item: row, cursor: encodeTimeCursor(cursor) }));
    },
    /**
     * What people wrote about the chip and its parts, newest first; `written` narrows it to one qubit or coupling.
     * @throws NotFoundError for an unknown one
     */
    async human(chip: Chip, written: string | null = null): Promise<readonly HumanNote[]> {
      const scope = scopeOf([chip]);
      const [qid, notes, onResults] = await Promise.all([
        written === null ? null : idOf(written),
        store.humanNotes(scope),
        store.taskResultNotes(scope, TASK_RESULT_NOTES),
      ]);
      const all = newestNotes([...notes, ...onResults]);
      return qid === null ? all : all.filter((note) => note.qid === qid || note.qid === twinOf(qid));

      async function idOf(asked: string): Promise<string> {
        if (!isCouplingId(asked)) return (await qubits.get(chip, asked)).qid;
        return (await couplings.get(chip, asked)).coupling.couplingId;
      }
    },
  };
}
