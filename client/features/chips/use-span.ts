import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { spanOf, type Times } from '../../components/time-range/time-range.ts';
import { ChipCooldownDocument } from '../../gql/graphql.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { useChipUpdates } from './chip-updates.tsx';

type Span = {
  readonly from: string | null;
  readonly to: string | null;
  /** Whether it is known when the chip was cooled down. */
  readonly hasCooldown: boolean;
};

/** Times on a chip as two points; relative ones begin anew with each news of the chip. */
export function useSpan(chipId: string, times: Times): Span {
  const [{ data }] = useQuery({ query: ChipCooldownDocument, variables: { chipId } });
  const cooldownStart = data?.chip?.cooldownStartedAt ?? null;
  const updates = useChipUpdates();
  const [clock, setClock] = useState({ updates, nowMs: serverNowMs() });
  if (clock.updates !== updates) setClock({ updates, nowMs: serverNowMs() });
  const { nowMs } = clock;
  return useMemo(
    () => ({ ...spanOf(times, { nowMs, cooldownStart }), hasCooldown: cooldownStart !== null }),
    [times, nowMs, cooldownStart],
  );
}
