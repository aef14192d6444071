import { Code, Stack, Text } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';

const COMMANDS = [
  { name: 'ibm', command: 'npm run import -- ibm props.json conf.json' },
  { name: 'csv', command: 'npm run import -- csv table.csv --chip my-chip --create' },
  { name: 'qibolab', command: 'npm run import -- qibolab calibration.json' },
  { name: 'cirq', command: 'npm run import -- cirq calibration.json' },
  { name: 'qdash', command: 'MONGODB_URI=mongodb://host:27017 npm start' },
  { name: 'demo', command: 'npm run import -- demo' },
] as const;

/** The same without this page. */
export function WaysIn({ projectId }: { readonly projectId: string }) {
  const { chip, imports } = useWords();
  const url = `${location.origin}/import/${encodeURIComponent(projectId)}`;
  const http = `curl -H "Authorization: Bearer $QPILOT_KEY" -F files=@props.json -F files=@conf.json ${url}`;
  return (
    <details>
      <summary>{imports.otherWays}</summary>
      <Stack gap="xs" mt="xs">
        {[{ name: 'http', command: http } as const, ...COMMANDS].map(({ name, command }) => (
          <div key={name}>
            <Text size="sm">{name === 'http' ? imports.byHttp : chip.waysIn[name]}</Text>
            <Code block tabIndex={0}>
              {command}
            </Code>
          </div>
        ))}
      </Stack>
    </details>
  );
}
