import { Group, Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a page with a heading; `aside` is to the right of the heading. */
export function Panel({
  title,
  tour,
  aside,
  children,
}: {
  readonly title: string;
  /** By which the tour, and a hash, find it. */
  readonly tour?: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper
      component="section"
      id={tour}
      aria-labelledby={id}
      data-tour={tour}
      withBorder
      p="sm"
      miw={0}
      h="100%"
    >
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
