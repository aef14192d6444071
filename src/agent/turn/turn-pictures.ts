/**
 * The pictures with a message: figures of the session's task result, then those that the user sent. Only the newest
 * message has any; of earlier ones only the text is sent.
 */
import { MAX_PICTURES, MAX_PICTURE_BYTES, readPictureHeader } from '../../domain/conversation/picture.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { countOf } from '../../domain/text/display-text.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { FiguresService } from '../../services/calibration/figures.ts';
import type { MessagePicture } from '../../stores/session-store.ts';
import type { ModelImage, ModelInput } from '../model.ts';

/** Pictures with their labels in the same order, and notes on those that are missing. */
export type TurnPictures = {
  readonly images: readonly ModelImage[];
  readonly labels: readonly string[];
  readonly missing: readonly string[];
};

export type PictureSources = {
  readonly viewer: Viewer;
  readonly figures: FiguresService;
  readonly result: TaskResult | null;
  readonly sent: readonly MessagePicture[];
  readonly supportsImages: boolean;
};

/** The marked figure is most informative, then the raw one. */
const ORDER = ['marked', 'raw'];
const rankOf = (label: string): number => {
  const rank = ORDER.findIndex((word) => label.startsWith(word));
  return rank < 0 ? ORDER.length : rank;
};

/** Reads no files for a model without vision. */
export async function collectPictures(sources: PictureSources): Promise<TurnPictures> {
  const { figures, result, sent, supportsImages } = sources;
  const listed = result === null ? [] : figures.list(result);
  const wanted = listed.toSorted((a, b) => rankOf(a.label) - rankOf(b.label));
  if (!supportsImages) return { images: [], labels: [], missing: unseen(wanted.length, sent.length) };
  const read = await Promise.all(wanted.slice(0, MAX_PICTURES).map((figure) => readFigure(sources, figure)));
  const found = read.flatMap((each) => ('image' in each ? [each] : []));
  const notRead = wanted.length - MAX_PICTURES;
  return {
    images: [...found.map(({ image }) => image), ...sent],
    labels: [
      ...found.map(({ label }) => `figure "${label}" of the task result`),
      ...sent.map((_, at) => `picture ${at + 1} that the user sent`),
    ],
    missing: [
      ...read.flatMap((each) => ('problem' in each ? [each.problem] : [])),
      ...(notRead > 0 ? [`${MAX_PICTURES} of ${wanted.length} figures of the task result are given.`] : []),
      ...withoutFolder(result, listed.length),
    ],
  };
}

/** `input` with pictures on its newest message. */
export function withPictures(
  input: readonly ModelInput[],
  images: readonly ModelImage[],
): readonly ModelInput[] {
  const last = input.at(-1);
  if (images.length === 0 || last?.type !== 'user') return input;
  return [...input.slice(0, -1), { ...last, images }];
}

const unseen = (figures: number, sent: number): readonly string[] => [
  ...(figures > 0
    ? [`The task result has ${countOf(figures, 'figure')}, which you cannot see; say so if that matters.`]
    : []),
  ...(sent > 0 ? [`The user sent ${countOf(sent, 'picture')}, which you cannot see; say so.`] : []),
];

/** Paths are stored, but this server has no folder for them. */
function withoutFolder(result: TaskResult | null, listed: number): readonly string[] {
  const stored = result?.figurePaths.length ?? 0;
  return stored > 0 && listed === 0
    ? [`The task result has ${countOf(stored, 'figure')}, which this server cannot read.`]
    : [];
}

async function readFigure(
  { viewer, figures, result }: PictureSources,
  { label, index }: { readonly label: string; readonly index: number },
): Promise<{ readonly label: string; readonly image: ModelImage } | { readonly problem: string }> {
  const problem = (why: string) => ({
    problem: `Figure "${label}" of the task result is not given: ${why}.`,
  });
  const file = await figures.read(viewer, { taskId: result?.taskId ?? '', index });
  if (file.kind !== 'PICTURE') return problem('its file is missing or no picture');
  const header = readPictureHeader(file.body);
  if (header === null) return problem('it is not a PNG, JPEG or WebP');
  if (file.body.byteLength > MAX_PICTURE_BYTES) return problem('it is larger than 5 MiB');
  return { label, image: { ...header, data: file.body.toString('base64') } };
}
