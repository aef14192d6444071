import type { Freshness } from '../values/freshness.ts';
import { isJsonObject, type Json } from '../visuals.ts';

/** What a picture says beside its chart: of which chip, and when its values were measured. */
export type PictureSource = {
  readonly chipId: string | null;
  readonly oldestAt: Date | null;
  readonly newestAt: Date | null;
};

type Times = Pick<Freshness, 'oldestAt' | 'newestAt'>;

export const sourceOf = (chipId: unknown, times: Times | null): PictureSource => ({
  chipId: typeof chipId === 'string' ? chipId : null,
  oldestAt: times?.oldestAt ?? null,
  newestAt: times?.newestAt ?? null,
});

/** The source of what a tool returned, as it is stored: `result` has the chip in its data. */
export function sourceOfCall(
  call: { readonly resultJson: string | null; readonly freshness: Times | null } | undefined,
): PictureSource {
  const result = call?.resultJson ? (JSON.parse(call.resultJson) as Json) : null;
  const data = isJsonObject(result) ? (result['data'] ?? null) : null;
  return sourceOf(isJsonObject(data) ? data['chip_id'] : null, call?.freshness ?? null);
}
