import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectPictures, withPictures } from '../../src/agent/turn/turn-pictures.ts';
import type { TaskResult } from '../../src/domain/values/task-result.ts';
import { createFigures } from '../../src/services/calibration/figures.ts';
import type { TaskResultsService } from '../../src/services/calibration/runs.ts';
import { createFigureFiles } from '../../src/stores/figure-files.ts';
import { demoViewer } from '../support/demo-database.ts';
import { jpeg, png } from '../support/pictures.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-pictures-'));
  await Promise.all([
    writeFile(join(folder, 't1_raw.png'), png(10, 10)),
    writeFile(join(folder, 't1_marked.jpg'), jpeg(20, 20)),
    writeFile(join(folder, 'other.png'), png(30, 30)),
    writeFile(join(folder, 'huge_raw.png'), png(40, 40, 6 * 1024 * 1024)),
    writeFile(join(folder, 'notes_marked.png'), 'not a picture'),
    ...[1, 2, 3, 4, 5, 6].map((at) => writeFile(join(folder, `fig${at}.png`), png(at, at))),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

const IN_CONTAINER = '/app/calib_data/';

/** What goes to a model for a result with these files. */
function collect(
  names: readonly string[],
  more: { supportsImages?: boolean; sent?: number; files?: boolean } = {},
) {
  const result = {
    taskId: 't',
    figurePaths: names.map((name) => IN_CONTAINER + name),
  } as unknown as TaskResult;
  const taskResults = { getMany: async () => [result] } as unknown as TaskResultsService;
  const files = more.files === false ? null : createFigureFiles(folder);
  return collectPictures({
    viewer: demoViewer,
    figures: createFigures({ taskResults, files }),
    result,
    sent: Array.from({ length: more.sent ?? 0 }, () => ({
      mediaType: 'image/webp' as const,
      width: 8,
      height: 8,
      data: 'AAAA',
    })),
    supportsImages: more.supportsImages ?? true,
  });
}

describe('The pictures with a question', () => {
  test('are the marked figure, the raw one, the others, and then what the user sent', async () => {
    const { images, labels, missing } = await collect(['other.png', 't1_raw.png', 't1_marked.jpg'], {
      sent: 2,
    });
    expect(labels).toEqual([
      'figure "marked" of the task result',
      'figure "raw" of the task result',
      'figure "figure 1" of the task result',
      'picture 1 that the user sent',
      'picture 2 that the user sent',
    ]);
    expect(images.map(({ mediaType }) => mediaType)).toEqual([
      'image/jpeg',
      'image/png',
      'image/png',
      'image/webp',
      'image/webp',
    ]);
    expect(Buffer.from(images[1]!.data, 'base64')).toEqual(png(10, 10));
    expect(missing).toEqual([]);
  });

  test('leave out what is too large, no picture, gone or outside, and say so', async () => {
    const { images, missing } = await collect([
      'huge_raw.png',
      'notes_marked.png',
      '../../etc/passwd',
      'gone.png',
    ]);
    expect(images).toEqual([]);
    expect(missing).toHaveLength(4);
    expect(missing.join('\n')).toContain(
      'Figure "raw" of the task result is not given: it is larger than 5 MiB.',
    );
    expect(missing.join('\n')).not.toContain('passwd');
  });

  test('are at most four of a result', async () => {
    const { images, missing } = await collect([1, 2, 3, 4, 5, 6].map((at) => `fig${at}.png`));
    expect(images).toHaveLength(4);
    expect(missing).toEqual(['4 of 6 figures of the task result are given.']);
  });

  test('are not sent to a model without vision, which gets a note instead', async () => {
    const { images, missing } = await collect(['t1_raw.png'], { supportsImages: false, sent: 1 });
    expect(images).toEqual([]);
    expect(missing.join(' ')).toMatch(/1 figure, which you cannot see.*1 picture, which you cannot see/u);
  });

  test('are reported as unreadable if no folder is configured', async () => {
    expect((await collect(['t1_raw.png'], { files: false })).missing).toEqual([
      'The task result has 1 figure, which this server cannot read.',
    ]);
  });

  test('go with the newest message only', async () => {
    const pictures = await collect(['t1_raw.png']);
    const input = withPictures(
      [
        { type: 'user', text: 'before' },
        { type: 'assistant', text: 'answer' },
        { type: 'user', text: 'now' },
      ],
      pictures.images,
    );
    expect(input.map((entry) => 'images' in entry)).toEqual([false, false, true]);
  });
});
