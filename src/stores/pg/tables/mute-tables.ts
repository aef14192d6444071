export type MutesTable = {
  project_id: string;
  chip_id: string;
  part_id: string;
  /** Empty: all of the part. */
  parameter: string;
  reason: string;
  muted_by: string;
  muted_at: Date;
  until: Date;
};
