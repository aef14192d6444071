import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { partPath } from '../../lib/part-path.ts';

/** Leads to the page of the qubit or coupling, and to the results of a parameter of it. */
export const PartName = ({
  chipId,
  label,
  partId,
  parameter = null,
}: {
  readonly chipId: string;
  readonly label: string;
  readonly partId: string;
  readonly parameter?: string | null;
}) => (
  <Anchor component={Link} to={partPath(chipId, partId, parameter)} size="sm">
    {label}
  </Anchor>
);
