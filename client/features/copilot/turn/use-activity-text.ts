import type { Activity } from '@qpilot/client/view';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerNames } from '../../../lib/i18n/use-server-names.ts';

/** What a running turn is busy with, in the language of the pages as far as that is known. */
export function useActivityText(activity: Activity | null): string {
  const { copilot } = useWords();
  const { activities } = useServerNames();
  if (activity === null) return copilot.thinking;
  return (activity.phase === null ? undefined : activities[activity.phase]) ?? activity.text;
}
