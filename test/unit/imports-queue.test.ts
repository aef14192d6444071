import { expect, test } from '@jest/globals';
import type { FileImporter, FileImportReport } from '../../src/domain/imports/file-import.ts';
import { createImports } from '../../src/services/imports/imports.ts';
import { viewer } from '../support/qdash-database.ts';

test('whoever leaves while others import gets away at once, and nobody passes those in front', async () => {
  const running: PromiseWithResolvers<FileImportReport>[] = [];
  const importer = {
    refusal: async () => null,
    run: () => {
      const work = Promise.withResolvers<FileImportReport>();
      running.push(work);
      return work.promise;
    },
  } as Partial<FileImporter> as FileImporter;
  const imports = createImports(importer);
  const left = new AbortController();
  const ask = (signal = new AbortController().signal) =>
    imports.run(viewer, {} as never, signal, () => undefined);
  const first = ask();
  const second = ask(left.signal);
  const third = ask();
  const reason = new Error('the client left');
  left.abort(reason);
  await expect(second).rejects.toBe(reason);
  await new Promise((resolve) => setImmediate(resolve));
  expect(running).toHaveLength(1);
  running[0]!.resolve('first' as never);
  expect(await first).toBe('first');
  await new Promise((resolve) => setImmediate(resolve));
  running[1]!.resolve('third' as never);
  expect(await third).toBe('third');
});
