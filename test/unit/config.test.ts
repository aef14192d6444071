import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.ts';

describe('the time zone of the lab', () => {
  test.each(['Asia/Tokyo', 'Europe/Berlin', 'UTC'])('may be %s', (timeZone) => {
    expect(readConfig({ QPILOT_TIME_ZONE: timeZone }).timeZone).toBe(timeZone);
  });

  test('is UTC unless it is set', () => {
    expect([readConfig({}).timeZone, readConfig({ QPILOT_TIME_ZONE: '' }).timeZone]).toEqual(['UTC', 'UTC']);
  });

  test.each(['Tokyo', '+09:00', 'JST-9', 'Europe/Nowhere'])(
    'is refused at the start when it is %s',
    (wrong) => {
      expect(() => readConfig({ QPILOT_TIME_ZONE: wrong })).toThrow(
        `QPILOT_TIME_ZONE="${wrong}": must be the name of an IANA time zone, for example Asia/Tokyo`,
      );
    },
  );
});
