import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { partPath } from '../../lib/part-path.ts';

/** Leads to the page of the qubit or coupling, where the parameter's results are. */
export const PartName = ({
  chipId,
  label,
  partId,
}: {
  readonly chipId: string;
  readonly label: string;
  readonly partId: string;
}) => (
  <Anchor component={Link} to={partPath(chipId, partId)} size="sm">
    {label}
  </Anchor>
);
