/** A datasource as a job keeps it: what it was when the job was made. Its address and its credentials stay with the server. */
export type AttachedDatasource = {
  /** The id in the server's settings, by which the connection is found. */
  readonly id: string;
  readonly name: string;
  readonly type: 'mongodb' | 'sql' | 'dataset';
  readonly readOnly: boolean;
};
