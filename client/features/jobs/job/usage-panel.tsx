import { Progress, Text } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { UsageText } from '../usage-text.tsx';
import classes from './job.module.css';

/** From this share of a limit on the bar warns. */
const NEARLY_ALL = 0.9;

/** What the job cost, and how much of its limits its newest run has used. */
export function UsagePanel({ job: { usage, limits } }: { readonly job: JobDetailFragment }) {
  const { words, format } = useI18n();
  const { jobs } = words;
  const count = (value: number): string => format.count(value);
  const rows = [
    [jobs.limits.tokens, limits.tokens, count],
    [jobs.limits.time, limits.seconds, (seconds: number) => format.duration(seconds)],
    [jobs.limits.phases, limits.phases, count],
    [jobs.limits.rounds, limits.roundsPerPhase, count],
    [jobs.limits.disk, limits.workspaceBytes, jobs.bytes],
  ] as const;
  return (
    <Panel title={jobs.usage} aside={<UsageText usage={usage} />}>
      <ul className={classes['limits']}>
        {rows.map(([name, { used, limit }, text]) => (
          <li key={name}>
            <Text size="sm" span>
              {name}
            </Text>
            <Text size="xs" c="dimmed" span>
              {jobs.usedOf(text(used), text(limit))}
            </Text>
            <Progress
              size="xs"
              value={Math.min(100, (100 * used) / limit)}
              color={used > NEARLY_ALL * limit ? 'red' : 'indigo'}
              aria-label={`${name}: ${jobs.usedOf(text(used), text(limit))}`}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
