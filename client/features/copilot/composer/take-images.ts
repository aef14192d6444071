/** Kinds of pictures that the server takes. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** As much of a file as its fitness is judged by; {@link File} is one. */
export type FileFacts = { readonly name: string; readonly type: string; readonly size: number };

/** Why a file does not go along. */
export type Refusal = {
  readonly name: string;
  readonly reason: 'NOT_FOR_MODEL' | 'NO_PICTURE' | 'TOO_LARGE' | 'TOO_MANY';
};

/** What may go along with one message. */
export type ImageLimits = {
  /** 0 where the model looks at none. */
  readonly maxImages: number;
  readonly maxImageBytes: number;
};

/** The images of a message after more files were given, and the files that were not taken. */
export function takeImages<OneFile extends FileFacts>(
  images: readonly OneFile[],
  files: Iterable<OneFile>,
  { maxImages, maxImageBytes }: ImageLimits,
): { readonly images: readonly OneFile[]; readonly refused: readonly Refusal[] } {
  const taken = [...images];
  const refused: Refusal[] = [];
  for (const file of files) {
    const reason = refusalOf(file);
    if (reason === null) taken.push(file);
    else refused.push({ name: file.name, reason });
  }
  return { images: taken, refused };

  function refusalOf({ type, size }: OneFile): Refusal['reason'] | null {
    if (maxImages === 0) return 'NOT_FOR_MODEL';
    if (!PICTURE_TYPES.some((known) => known === type)) return 'NO_PICTURE';
    if (size > maxImageBytes) return 'TOO_LARGE';
    return taken.length >= maxImages ? 'TOO_MANY' : null;
  }
}
