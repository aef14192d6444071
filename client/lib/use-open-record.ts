import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { recordPath } from './part-path.ts';

/** Opens the record of a point of a chart, whose `customdata` is the id of its task result; for others nothing. */
export function useOpenRecord(): (point: { readonly customdata: unknown }) => void {
  const navigate = useNavigate();
  return useCallback(
    ({ customdata }) => {
      if (typeof customdata === 'string' && customdata !== '') void navigate(recordPath(customdata));
    },
    [navigate],
  );
}
