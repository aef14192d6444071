import { useMemo } from 'react';
import { ChipMapAsOfDocument, ChipMapDocument, type ChipMapQuery } from '../../../gql/graphql.ts';
import { useChipQuery } from '../chip-updates.tsx';
import { serverNowMs } from '../../../lib/server-clock.ts';
import type { Against } from '../chip-view.ts';
import { chipMapOf, partKey, type Before, type ChipMapModel } from './map-model.ts';

type MapInput = {
  readonly chipId: string;
  /** Keys of the metrics; null for couplings that are not coloured. */
  readonly ofQubits: string;
  readonly ofCouplings: string | null;
  readonly against: Against;
  /** In the place of current values; null for these. */
  readonly qubitValues: ReadonlyMap<string, number> | null;
};

/** Reads what a map shows; `model` is null until it is there. */
export function useMap({ chipId, ofQubits, ofCouplings, against, qubitValues }: MapInput) {
  const names = { ofQubits: [ofQubits], ofCouplings: ofCouplings === null ? [] : [ofCouplings] };
  const at = useMemo(() => (against?.kind === 'TIME' ? timeOf(against.time) : null), [against]);
  const otherId = against?.kind === 'CHIP' ? against.chipId : null;
  const own = useChipQuery({ query: ChipMapDocument, variables: { chipId, ...names } });
  const past = useChipQuery({
    query: ChipMapAsOfDocument,
    variables: { chipId, at: at ?? '', names: [ofQubits, ...names.ofCouplings] },
    pause: at === null,
  });
  const other = useChipQuery({
    query: ChipMapDocument,
    variables: { chipId: otherId ?? '', ...names },
    pause: otherId === null,
  });
  const chip = own.data?.chip;
  const parts = at === null ? undefined : past.data?.chip?.asOf.parts;
  const otherChip = otherId === null ? undefined : other.data?.chip;
  const model = useMemo((): ChipMapModel | null => {
    if (!chip || (at !== null && !parts) || (otherId !== null && !otherChip)) return null;
    const before: Before = parts ? valuesThen(parts) : otherChip ? valuesOf(otherChip) : null;
    return chipMapOf(chip, { before, qubitValues: before === null ? qubitValues : null });
  }, [chip, at, parts, otherId, otherChip, qubitValues]);
  const compared = at !== null ? past : otherId !== null ? other : null;
  return {
    model,
    at,
    isStale: own.stale || (compared?.stale ?? false),
    error: own.error ?? compared?.error,
    retry: (): void => {
      own.retry();
      compared?.retry();
    },
  };
}

const HOUR_MS = 3_600_000;

/** A point in time, in ISO: so many hours ago, or the end of a day in the reader's zone. Never in the future. */
function timeOf(time: number | string): string {
  const now = serverNowMs();
  const ms = typeof time === 'number' ? now - time * HOUR_MS : new Date(`${time}T23:59:59`).getTime();
  return new Date(Math.min(ms, now)).toISOString();
}

type Chip = NonNullable<ChipMapQuery['chip']>;
type PartThen = {
  readonly partId: string;
  readonly scope: 'QUBIT' | 'COUPLING';
  readonly parameters: readonly { readonly displayValue: number | null }[];
};

function valuesThen(parts: readonly PartThen[]): ReadonlyMap<string, number> {
  return new Map(
    parts.flatMap(({ partId, scope, parameters: [found] }) =>
      found?.displayValue == null ? [] : [[partKey(scope, partId), found.displayValue] as const],
    ),
  );
}

function valuesOf({ qubits, couplings }: Chip): ReadonlyMap<string, number> {
  return valuesThen([
    ...qubits.map(({ qid, parameters }) => ({ partId: qid, scope: 'QUBIT' as const, parameters })),
    ...couplings.map(({ couplingId, parameters }) => ({
      partId: couplingId,
      scope: 'COUPLING' as const,
      parameters,
    })),
  ]);
}
