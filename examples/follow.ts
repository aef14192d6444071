/**
 * The smallest client that loses nothing: it asks, prints the answer as it arrives, and goes on after a dropped
 * connection. `node examples/follow.ts "How healthy is the chip?" demo-64`
 */
import { createQPilot } from '@qpilot/client';

const qpilot = createQPilot({ url: process.env['QPILOT_URL'] ?? 'http://127.0.0.1:4000' });
const asked = await qpilot.ask({
  content: process.argv[2] ?? 'How healthy is the chip?',
  chipId: process.argv[3] ?? null,
});
for await (const event of qpilot.followAnswer(asked)) {
  if (event.__typename === 'TokenEvent') process.stdout.write(event.text);
  if (event.__typename !== 'TurnFinishedEvent') continue;
  process.stdout.write(`\n${event.turnStatus}\n`);
  process.exitCode = event.turnStatus === 'COMPLETED' ? 0 : 1;
}
