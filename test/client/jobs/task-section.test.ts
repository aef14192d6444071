import { describe, expect, test } from '@jest/globals';
import {
  findTask,
  isTaskUnchanged,
  taskText,
  withTask,
} from '../../../client/features/jobs/new/task-section.ts';

const TEMPLATE = '# Writer\n\n## Task\n\nSay what.\n';

describe('the section Task', () => {
  test.each([
    ['at the end', TEMPLATE, 'Say what.'],
    [
      'before another section',
      '## Task\nThis.\n### More of it\nToo.\n## Report\nThat.',
      'This.\n### More of it\nToo.',
    ],
    ['the last of several', '## Task\none\n## Task\ntwo', 'two'],
    ['with Windows line ends', 'a\r\n## Task\r\nwhat\r\n', 'what'],
    ['empty', '## Task', ''],
    ['none', '### Task\n## Tasks\nNo ## Task here', null],
  ])('%s', (_name, text, task) => {
    expect(taskText(text)).toBe(task);
  });

  test('is found where its heading stands', () => {
    expect(findTask(TEMPLATE)).toEqual({ headingAt: 10, from: 17, to: TEMPLATE.length });
  });

  test('is unchanged until its words change, whatever else does', () => {
    expect(isTaskUnchanged(TEMPLATE, `${TEMPLATE}\n`)).toBe(true);
    expect(isTaskUnchanged(TEMPLATE, TEMPLATE.replace('# Writer', '# Me'))).toBe(true);
    expect(isTaskUnchanged(TEMPLATE, TEMPLATE.replace('Say what.', 'Find the drift.'))).toBe(false);
    expect(isTaskUnchanged(TEMPLATE, '# Writer')).toBe(false);
  });

  test('can be put behind a text that has none', () => {
    expect(taskText(withTask('# Mine\n\n\n'))).toBe('');
    expect(withTask('')).toBe('## Task\n\n');
  });
});
