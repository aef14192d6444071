import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useMutation, useQuery } from 'urql';
import {
  ChipMutesDocument,
  MuteValueDocument,
  UnmuteValueDocument,
  type MuteOfChipFragment,
} from '../../../gql/graphql.ts';
import { useRefusal } from '../../../lib/graphql/refusal.ts';
import { finder, type ValueKey } from './find-mute.ts';

/** Without one there is nothing in the answer that says which queries it changes. */
const CONTEXT = { additionalTypenames: ['Mute'] };

/** What is known to be bad on a chip, and how that is changed. Nothing is muted until it is read. */
export function useMutes(chipId: string) {
  const [{ data }] = useQuery({ query: ChipMutesDocument, variables: { chipId }, context: CONTEXT });
  const [, sendMute] = useMutation(MuteValueDocument);
  const [, sendUnmute] = useMutation(UnmuteValueDocument);
  const refusal = useRefusal();
  const said = (refused: string | null): boolean => {
    if (refused !== null) notifications.show({ color: 'red', message: refused });
    return refused === null;
  };
  const mutes = data?.mutes;
  const muteOf = useMemo(() => finder(mutes ?? []), [mutes]);
  return {
    /** By which a value is muted; undefined for none. */
    muteOf,
    mayMute: data !== undefined && data.viewer.role !== 'viewer',
    /** Whether it was done; if not, the page says why. */
    mute: async (of: ValueKey, reason: string, until: string): Promise<boolean> => {
      const { data: done, error } = await sendMute({ input: { chipId, ...of, reason, until } }, CONTEXT);
      return said(refusal(done?.mute, error));
    },
    unmute: async ({ partId, parameter }: MuteOfChipFragment): Promise<boolean> => {
      const { data: done, error } = await sendUnmute({ input: { chipId, partId, parameter } }, CONTEXT);
      return said(refusal(done?.unmute, error));
    },
  };
}

export type ChipMutes = ReturnType<typeof useMutes>;
