import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button in the heading of a visual. */
export function VisualTool({
  label,
  onClick,
  autoFocus = false,
  children,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly autoFocus?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} autoFocus={autoFocus} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
