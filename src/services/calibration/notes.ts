import { isCouplingId, twinOf } from '../../domain/qid.ts';
import { newestNotes } from '../../domain/records/notes.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService, QubitsService } from './chip-services.ts';
import type { NotesService } from './record-services.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

/** Task results whose remarks are listed with the others; those of older ones stand at the results themselves. */
const TASK_RESULT_NOTES = 100;

/** Notes of machines and of people. */
export function createNotes(deps: {
  readonly store: CalibrationStore;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
}): NotesService {
  const { store, qubits, couplings } = deps;
  return {
    async machine(chip, { filter, first, after }) {
      const limit = rowsToRead(first);
      const slice = await store.machineNoteSlice({
        ...scopeOf([chip]),
        filter: filter ?? {},
        limit,
        after: decodeTimeCursor(after),
      });
      return toPage(slice, first, ({ row, cursor }) => ({ item: row, cursor: encodeTimeCursor(cursor) }));
    },
    async human(chip, written = null) {
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
