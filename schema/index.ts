/** Imports every file that defines types, for their side effect on the builder, and exports only the schema. */
import { builder } from './builder.ts';
import './scalars.ts';
import './errors.ts';
import './freshness.ts';
import './viewer.ts';
import './metric.ts';
import './parameter-value.ts';
import './parameter-statistics.ts';
import './chip.ts';
import './topology.ts';
import './chip-summary.ts';
import './chip-metric.ts';
import './chip-timeseries.ts';
import './qubit.ts';
import './coupling.ts';
import './task-result.ts';
import './execution.ts';
import './calibration-note.ts';
import './provenance.ts';
import './comparison.ts';
import './chart.ts';
import './data-table.ts';
import './upload.ts';
import './create-upload.ts';
import './copilot/config.ts';
import './copilot/session.ts';
import './copilot/turn.ts';
import './copilot/message.ts';
import './copilot/tool-call.ts';
import './copilot/usage.ts';
import './copilot/send-message.ts';
import './copilot/cancel-turn.ts';
import './copilot/retry-turn.ts';
import './copilot/events.ts';

/** The whole schema. */
export const schema = builder.toSchema();
