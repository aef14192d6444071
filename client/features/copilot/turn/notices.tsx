import { Text } from '@mantine/core';
import type { Notice } from '@qpilot/client/view';
import { IconArrowsExchange, IconRefreshDot } from '@tabler/icons-react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './turn.module.css';

const ICONS = { SOURCE_FALLBACK: IconArrowsExchange, STEP_RESET: IconRefreshDot } as const;

/** How an answer came about where that was not straight: another source was asked, a step was repeated. */
export function Notices({ notices }: { readonly notices: readonly Notice[] }) {
  const { copilot } = useWords();
  if (notices.length === 0) return null;
  return (
    <ul className={classes['notices']} aria-label={copilot.notices}>
      {notices.map(({ kind, text }, index) => {
        const Icon = ICONS[kind];
        return (
          <li key={index}>
            <Icon size={14} role="img" aria-label={copilot.noticeKinds[kind]} />
            <Text span size="xs" c="dimmed">
              {text}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}
