import type { Generated } from 'kysely';
import type { BoardItem } from '../../../domain/boards/board.ts';
import type { Visibility } from '../../../domain/members/sharing.ts';
import type { TimeRangeKind } from '../../../domain/values/time-range.ts';
import type { Json } from './columns.ts';

/** A range as JSON has it, with times as text. */
export type StoredRange = {
  readonly kind: TimeRangeKind;
  readonly hours: number | null;
  readonly from: string | null;
  readonly to: string | null;
};

export type BoardsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  title: string;
  visibility: Visibility;
  share_key: string | null;
  version: number;
  range: Json<StoredRange | null> | null;
  items: Json<readonly BoardItem[]>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
};

/** Who opened the link of a board while it was valid. Shown to nobody. */
export type BoardReadersTable = {
  project_id: string;
  board_id: string;
  user_id: string;
  opened_at: Generated<Date>;
};
