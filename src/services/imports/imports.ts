/** Files of calibration data that people and programs send: authorised, and few at a time. */
import { ConflictError } from '../../base/errors.ts';
import { FairGate, type GateLimits } from '../../base/fair-gate.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type {
  FileImporter,
  FileImportReport,
  FileImportRequest,
  ShowProgress,
} from '../../domain/imports/file-import.ts';
import { assertAllowed, type Rule } from '../../domain/members/rule.ts';

/** Who imports: values are of the whole project. */
export const IMPORT_RULE: Rule = 'editor: project';

/** Each takes some hundred MB. One that waits longer is refused: a million rows take some minutes. */
const LIMITS: GateLimits = { width: 2, waitMs: 120_000 };

/** Imports of files. */
export type Imports = ReturnType<typeof createImports>;

export function createImports(importer: FileImporter, limits: GateLimits = LIMITS) {
  // Two imports of one chip read what is stored, and write what both change of it: of a project, one at a time.
  const gate = new FairGate(limits);
  return {
    refusal: () => importer.refusal(),
    /**
     * @throws ForbiddenError for who may not, ConflictError where this server imports nothing or for a chip id of another
     * device, InvalidInputError naming the file, and what would be right, ServiceBusyError where others take too long
     */
    async run(
      viewer: Viewer,
      request: Omit<FileImportRequest, 'projectId'>,
      signal: AbortSignal,
      onProgress: ShowProgress,
    ): Promise<FileImportReport> {
      assertAllowed(viewer, IMPORT_RULE);
      const refusal = await importer.refusal();
      if (refusal !== null) throw new ConflictError(refusal);
      onProgress({ step: 'waiting', done: 0, total: null });
      const work = () => importer.run({ ...request, projectId: viewer.projectId }, signal, onProgress);
      return gate.run(viewer.projectId, work, signal);
    },
  };
}
