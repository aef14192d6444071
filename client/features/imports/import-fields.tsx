import { Checkbox, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { ImportFields } from './send-files.ts';

/** What the files do not say: of which chip they are, and, folded, when and in which unit it was measured. */
export function FieldsOfImport({
  fields,
  isOfTables,
  isOpen,
  onChange,
}: {
  readonly fields: ImportFields;
  readonly isOfTables: boolean;
  readonly isOpen: boolean;
  readonly onChange: (changed: Partial<ImportFields>) => void;
}) {
  const { imports } = useWords();
  const text = (name: 'chip' | 'time' | 'timeZone' | 'parameter' | 'unit') => (
    <TextInput
      label={imports.fields[name]}
      description={name === 'chip' && isOfTables ? imports.chipOfTable : imports.hints[name]}
      required={name === 'chip' && isOfTables}
      value={fields[name]}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
    />
  );
  return (
    <Stack gap="xs">
      {text('chip')}
      {isOfTables && (
        <Checkbox
          label={imports.fields.create}
          checked={fields.create}
          onChange={({ currentTarget: { checked } }) => onChange({ create: checked })}
        />
      )}
      <details open={isOpen}>
        <summary>{imports.how}</summary>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
          {text('time')}
          {text('timeZone')}
          {isOfTables && text('parameter')}
          {isOfTables && text('unit')}
          {isOfTables && (
            <Select
              label={imports.fields.names}
              data={[
                { value: 'pairs', label: imports.names.pairs },
                { value: 'grid', label: imports.names.grid },
              ]}
              value={fields.names || null}
              clearable
              clearButtonProps={{ 'aria-label': imports.clear }}
              onChange={(names) => onChange({ names: names ?? '' })}
            />
          )}
        </SimpleGrid>
        {isOfTables && (
          <Checkbox
            mt="xs"
            label={imports.fields.skipBad}
            checked={fields.skipBad}
            onChange={({ currentTarget: { checked } }) => onChange({ skipBad: checked })}
          />
        )}
      </details>
    </Stack>
  );
}
