import type { Generated } from 'kysely';
import type { DatasetColumn } from '../../../domain/datasets/dataset.ts';
import type { Json, Later } from './columns.ts';

export type UploadsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  name: string;
  size_bytes: number;
  row_count: number;
  columns: Json<readonly DatasetColumn[]>;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  text: Later<string>;
};

export type SessionUploadsTable = {
  session_id: string;
  upload_id: string;
  dataset: string;
  added_at: Generated<Date>;
};
