import { Button, Kbd, Modal, Table } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';

const KEYS = [
  { keys: 'Ctrl K', does: 'palette' },
  { keys: '?', does: 'list' },
  { keys: 'Enter', does: 'send' },
  { keys: 'Shift Enter', does: 'line' },
  { keys: '← ↑ → ↓', does: 'arrows' },
  { keys: 'c', does: 'other' },
  { keys: 'Enter', does: 'open' },
  { keys: 'Space', does: 'select' },
  { keys: 'Escape', does: 'escape' },
] as const;

/** All keys of the pages, as `?` shows them. */
export function Keys({ onClose, onTour }: { readonly onClose: () => void; readonly onTour: () => void }) {
  const { common, tour } = useWords();
  return (
    <Modal
      opened
      onClose={onClose}
      title={common.keysTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Table>
        <Table.Tbody>
          {KEYS.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{common.keys[does]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Button
        mt="sm"
        variant="light"
        onClick={() => {
          onClose();
          onTour();
        }}
      >
        {tour.take}
      </Button>
    </Modal>
  );
}
