const grouped = (count: number): string => count.toLocaleString('en');

/** Texts of imports from files. */
export const imports = {
  title: 'Import',
  drop: 'Drop files here',
  kinds:
    'Properties and configuration of an IBM backend, a CSV table, or a calibration of Qibolab or Cirq; also as .gz',
  choose: 'Choose files',
  remove: (name: string) => `Remove ${name}`,
  needsRole: 'Importing needs the role editor in this project; an admin or owner can change yours.',
  impossible: 'This server imports nothing',
  why: 'It reads a database that QPilot did not make, such as that of a QDash, and never changes it. New data comes from what fills that database.',
  tooLarge: (megabytes: number) => `The files have more than ${megabytes} MB together: take fewer at once.`,
  fields: {
    chip: 'Chip',
    create: 'Create the chip, or let it grow, by the qubits of the table',
    time: 'Measured at',
    timeZone: 'Time zone',
    parameter: 'Parameter',
    unit: 'Unit',
    names: 'Names such as 0_6',
    skipBad: 'Leave out rows that cannot be used',
  },
  hints: {
    chip: 'Empty: as the files call it',
    time: 'For files without times: 2026-05-20 14:30',
    timeZone: 'Of times without an offset',
    parameter: 'For a table with a column per qubit: t1, readout error',
    unit: 'us, GHz, %',
  },
  chipOfTable: 'Which chip the table belongs to',
  names: { pairs: 'are pairs of qubits 0 and 6', grid: 'are qubits in row 0 and column 6' },
  clear: 'Clear',
  how: 'What the files do not say',
  preview: 'Preview',
  doIt: (count: number) => (count === 1 ? 'Import 1 result' : `Import ${count} results`),
  cancel: 'Cancel',
  stop: 'Stop',
  progress: (
    step: 'sending' | 'waiting' | 'reading' | 'checking' | 'writing',
    done: number,
    total: number | null,
  ): string => {
    const of = total === null ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
    return {
      sending: 'The files are being sent.',
      waiting: 'Waiting for other imports.',
      reading: `Reading: ${of} rows.`,
      checking: `Checking: ${of} rows.`,
      writing: `Storing: ${of} results.`,
    }[step];
  },
  refused: 'Nothing was imported',
  guessed: 'This was guessed: is it right?',
  sources: { ibm: 'IBM backend', csv: 'Table', qibolab: 'Qibolab calibration', cirq: 'Cirq calibration' },
  would: (source: string, added: number, known: number) =>
    `${source}: ${added} new results, ${known} that are there already. Nothing is imported yet.`,
  done: (added: number, known: number) => `${added} results imported, ${known} were there already.`,
  open: (chipId: string) => `Open ${chipId}`,
  otherWays: 'By command or HTTP, from a QDash, or the demo',
  byHttp: 'From a control system, with an API key of your account page',
} as const;
