import type { ExpertWholeFragment, NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import type { CheckedFieldProps } from '../field.ts';

/** What the settings are given. */
export type SettingsProps = CheckedFieldProps & {
  /** Null until its details are there. */
  readonly expert: ExpertWholeFragment | null;
  readonly choices: NewJobChoicesQuery;
};
