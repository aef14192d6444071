import { ActionIcon, Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconFileUpload, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Takes files that are chosen, or dropped anywhere on the page. */
export function DropZone({
  files,
  isBusy,
  onFiles,
  onRemove,
}: {
  readonly files: readonly File[];
  readonly isBusy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (name: string) => void;
}) {
  const { imports } = useWords();
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((event: DragEvent) => {
    const dropped = [...(event.dataTransfer?.files ?? [])];
    setOver(false);
    if (dropped.length > 0 && !isBusy) onFiles(dropped);
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => void (event.relatedTarget === null && setOver(false));
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault();
      take(event);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return (
    <Paper
      withBorder
      p="lg"
      component="section"
      aria-label={imports.drop}
      style={{
        borderStyle: 'dashed',
        ...(isOver && { background: 'light-dark(var(--mantine-color-blue-0), var(--mantine-color-dark-5))' }),
      }}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={32} aria-hidden />
        <Text fw={650} ta="center">
          {imports.drop}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          {imports.kinds}
        </Text>
        <FileButton multiple onChange={onFiles} inputProps={{ 'aria-label': imports.choose }}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isBusy}>
              {imports.choose}
            </Button>
          )}
        </FileButton>
        {files.map(({ name }) => (
          <Group key={name} gap={4} wrap="nowrap">
            <Text size="sm">{name}</Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={imports.remove(name)}
              onClick={() => onRemove(name)}
            >
              <IconX size={14} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
