/** Files of calibration data that people and programs send: authorised, and imported one at a time. */
import { abortable } from '../../base/abortable.ts';
import { ConflictError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { FileImporter, FileImportReport, FileImportRequest } from '../../domain/imports/file-import.ts';
import { assertAllowed, type Rule } from '../../domain/members/rule.ts';

/** Who imports: values are of the whole project. */
export const IMPORT_RULE: Rule = 'editor: project';

/** Imports of files. */
export type Imports = ReturnType<typeof createImports>;

export function createImports(importer: FileImporter) {
  // Two imports of one chip read what is stored, and write what both change of it.
  let last: Promise<void> = Promise.resolve();
  return {
    refusal: () => importer.refusal(),
    /**
     * @throws ForbiddenError for who may not, ConflictError where this server imports nothing or for a chip id of another
     * device, InvalidInputError naming the file, and what would be right
     */
    async run(
      viewer: Viewer,
      request: Omit<FileImportRequest, 'projectId'>,
      signal: AbortSignal,
    ): Promise<FileImportReport> {
      assertAllowed(viewer, IMPORT_RULE);
      const refusal = await importer.refusal();
      if (refusal !== null) throw new ConflictError(refusal);
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await abortable(before, signal);
        return await importer.run({ ...request, projectId: viewer.projectId }, signal);
      } finally {
        void before.then(resolve); // who leaves while waiting lets nobody pass those in front
      }
    },
  };
}
