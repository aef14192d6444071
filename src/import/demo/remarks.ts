/**
 * What the people of the demo laboratory wrote, in all the places that a QDash has for it. Only qubits of which something
 * is described elsewhere, too, have remarks, so that most have none.
 */
import { documentId, NO_NOTE, type NoteDocument, type RemarkDocuments } from '../documents.ts';
import { SECOND_COOLDOWN_DAY } from './device.ts';
import { DEMO_CHIP, DEMO_PROJECT } from './names.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Who wrote. */
export const PEOPLE = { lead: 'aoki', operator: 'tanaka', guest: 'weber' } as const;

/** The results that remarks are about. */
export type RemarkedResults = {
  /** The newest T1 of Q18, which was excluded. */
  readonly excludedT1: string;
};

/** All remarks of a demo that begins on `firstDay`; the newest are of the evening of `lastDay`. */
export function makeRemarks(
  { firstDay, lastDay }: { readonly firstDay: Date; readonly lastDay: Date },
  { excludedT1 }: RemarkedResults,
): RemarkDocuments {
  const secondStart = new Date(firstDay.getTime() + SECOND_COOLDOWN_DAY * DAY_MS);
  const daysAgo = (days: number, hour: number): Date =>
    new Date(lastDay.getTime() - days * DAY_MS + hour * HOUR_MS);
  const inProject = (...name: readonly string[]) => ({
    _id: documentId('remark', DEMO_PROJECT, ...name),
    project_id: DEMO_PROJECT,
  });
  const written = (at: Date) => ({ system_info: { created_at: at, updated_at: at } });
  const note = (content: string, updated_by: string, updated_at: Date): NoteDocument => ({
    content,
    updated_by,
    updated_at,
  });
  const comment = (content: string, created_by: string, created_at: Date) => ({
    comment_id: documentId('comment', DEMO_PROJECT, content).toHexString(),
    content,
    created_by,
    created_at,
    updated_by: '',
    updated_at: null,
  });
  const issueId = inProject('issue', '18');
  const threadId = inProject('thread', '45');
  const post = (content: string, username: string, at: Date) => ({
    username,
    content,
    title: null,
    is_ai_reply: false,
    ...written(at),
  });
  const secondCooldown = {
    scope_type: 'cooldown',
    scope_key: 'cooldown:demo-2',
    cooldown_id: 'demo-2',
    scope_started_at: secondStart,
    scope_ended_at: null,
    scope_source: 'current_cooldown',
  };
  const onQubit = (target_id: string) => ({ chip_id: DEMO_CHIP, target_type: 'qubit', target_id });

  return {
    cooldown: [
      {
        ...inProject('cooldown', 'demo-1'),
        cooldown_id: 'demo-1',
        cryo_id: 'fridge-a',
        description: 'First cool-down',
        started_at: new Date(firstDay.getTime() - 3 * DAY_MS),
        ended_at: secondStart,
        chip_ids: [DEMO_CHIP],
        note: note('Ended early: a leak in the still line.', PEOPLE.lead, secondStart),
        ...written(secondStart),
      },
      {
        ...inProject('cooldown', 'demo-2'),
        cooldown_id: 'demo-2',
        cryo_id: 'fridge-a',
        description: 'Second cool-down, after the still line was replaced',
        started_at: secondStart,
        ended_at: null,
        chip_ids: [DEMO_CHIP],
        note: NO_NOTE,
        ...written(secondStart),
      },
    ],
    target_note: [
      {
        ...inProject('target', '27'),
        ...onQubit('27'),
        ...secondCooldown,
        note: NO_NOTE,
        comments: [
          comment(
            'The readout power was lowered on purpose; T1 did not change.',
            PEOPLE.operator,
            daysAgo(6, 4),
          ),
          comment('減衰器の交換後も変化なし。次の昇温で確認する。', PEOPLE.lead, daysAgo(2, 5)),
        ],
        ...written(daysAgo(2, 5)),
      },
    ],
    metric_note: [
      {
        ...inProject('metric', '33'),
        ...onQubit('33'),
        metric_key: 'average_readout_fidelity',
        scope_type: 'time_range',
        scope_key: 'time_range:demo',
        cooldown_id: null,
        scope_started_at: daysAgo(4, 0),
        scope_ended_at: daysAgo(1, 0),
        scope_source: 'manual_time_range',
        note: note(
          'The local oscillator was on loan; readout of these days says nothing.',
          PEOPLE.operator,
          daysAgo(1, 3),
        ),
        ...written(daysAgo(1, 3)),
      },
    ],
    issue: [
      {
        ...issueId,
        ...post(
          'T1 came out at less than half of yesterday, on this qubit only.',
          PEOPLE.guest,
          daysAgo(0, 23.8),
        ),
        task_id: excludedT1,
        title: 'T1 of Q18 fell overnight',
        parent_id: null,
        is_closed: true,
      },
      {
        ...inProject('reply', '18'),
        ...post(
          'The pulse tube vibrated during the run. Excluded; to be measured again.',
          PEOPLE.operator,
          daysAgo(0, 23.9),
        ),
        task_id: excludedT1,
        parent_id: issueId._id.toHexString(),
        is_closed: false,
      },
      {
        ...inProject('reply', '18', 'model'),
        ...post(
          'The neighbours of this qubit show no such change in the same run.',
          'qdash',
          daysAgo(0, 23.85),
        ),
        is_ai_reply: true,
        task_id: excludedT1,
        parent_id: issueId._id.toHexString(),
        is_closed: false,
      },
    ],
    issue_knowledge: [
      {
        ...inProject('case', '18'),
        issue_id: issueId._id.toHexString(),
        task_id: excludedT1,
        task_name: 'CheckT1',
        status: 'approved',
        title: 'T1 falls on one qubit while the pulse tube vibrates',
        date: lastDay.toISOString().slice(0, 10),
        severity: 'warning',
        chip_id: DEMO_CHIP,
        qid: '18',
        resolution_status: 'resolved',
        symptom: 'T1 of one qubit falls in a single run, its neighbours stay.',
        root_cause: 'Vibration of the pulse tube during the run.',
        resolution: 'Result excluded, run repeated.',
        lesson_learned: ['Look at the log of the cryostat before a fall of T1 is called a defect.'],
        reviewed_by: PEOPLE.lead,
        ...written(daysAgo(0, 23.95)),
      },
    ],
    forum_post: [
      {
        ...threadId,
        ...post(
          'Can Q45 be tuned away from the defect, or do we route around it?',
          PEOPLE.guest,
          daysAgo(9, 6),
        ),
        number: 1,
        category: 'qubit',
        title: 'What to do about Q45',
        status: 'investigating',
        chip_id: DEMO_CHIP,
        target_type: 'qubit',
        target_id: '45',
        cooldown_id: 'demo-2',
        parent_id: null,
        is_closed: false,
        is_deleted: false,
      },
      {
        ...inProject('thread', '45', 'reply'),
        ...post('Route around it until the next warm-up.', PEOPLE.lead, daysAgo(8, 2)),
        number: 1,
        category: 'qubit',
        chip_id: null,
        parent_id: threadId._id.toHexString(),
        is_closed: false,
        is_deleted: false,
      },
    ],
  };
}

/** What a model wrote about the newest T1 of the qubit that gets worse, in the form in which QDash keeps it. */
export const aiReviewOf = (at: Date): NoteDocument => ({
  content:
    '## AI review\n\n**AI review**\n\n- Decision: REVIEW\n- Primary reason: the decay is well fitted, but T1 goes on falling\n- Recommended action: compare with the history of the qubit before it is used',
  updated_by: 'qdash-ai',
  updated_at: at,
});
