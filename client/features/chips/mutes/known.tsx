import { Button, Text } from '@mantine/core';
import { useUndoNotice } from '../../../components/second-thoughts.tsx';
import type { MuteOfChipFragment } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useMetricTitle } from '../../../lib/i18n/use-server-names.ts';
import classes from '../chip.module.css';
import { PartName } from '../part-name.tsx';
import type { ChipMutes } from './use-mutes.ts';

/** A muted value, as a list shows it. */
export type KnownValue = {
  readonly label: string;
  readonly title: string;
  readonly mute: MuteOfChipFragment;
};

type KnownProps = {
  readonly chipId: string;
  readonly known: readonly KnownValue[];
  readonly mutes: ChipMutes;
};

/** Values that are known to be bad, folded to their count: why, by whom and until when. */
export function Known({ chipId, known, mutes }: KnownProps) {
  const { words, format } = useI18n();
  const titleOf = useMetricTitle();
  const offerUndo = useUndoNotice();
  const { mute: text } = words.chip;
  if (known.length === 0) return null;
  return (
    <details>
      <summary className={classes['known']}>{text.known(known.length)}</summary>
      <ul className={classes['problems']} style={{ maxHeight: 'none' }}>
        {known.map(({ label, title, mute }) => (
          <li key={`${mute.partId} ${title}`}>
            <PartName chipId={chipId} label={label} partId={mute.partId} parameter={mute.parameter} />
            <Text span size="sm">
              {titleOf(title)}
            </Text>
            <Text span size="xs" c="dimmed" className={classes['grow'] ?? ''}>
              {text.why(mute.reason, mute.mutedBy.name, format.date(mute.until))}
            </Text>
            {mutes.mayMute && (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={text.unmutePart(`${label} ${titleOf(title)}`)}
                onClick={() =>
                  void mutes.unmute(mute).then((isDone) => {
                    const { partId, parameter, reason, until } = mute;
                    const again = (): void => void mutes.mute({ partId, parameter }, reason, until);
                    if (isDone) offerUndo(text.unmuted(`${label} ${titleOf(title)}`), again);
                  })
                }
              >
                {text.unmute}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
