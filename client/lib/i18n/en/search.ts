/** Texts of the search. */
export const search = {
  title: 'Search',
  words: 'Words to find',
  hint: 'Words of questions, answers, jobs, comments, boards, notes and results',
  find: 'Find',
  about:
    'Finds words in conversations, jobs, comments and boards that you may read, and in notes and results of the lab. All words must be there; put "…" around words that follow each other.',
  all: (text: string) => `Search all for “${text}”`,
  anywhere: 'Everywhere',
  kind: 'Kind',
  chip: 'Chip',
  person: 'Person',
  from: 'From',
  until: 'Until',
  here: 'Conversations, jobs and boards',
  lab: 'Notes and results of the lab',
  nothing: 'Nothing was found.',
  found: (count: number, hasMore: boolean) =>
    hasMore ? `The first ${count} matches:` : count === 1 ? '1 match.' : `${count} matches.`,
  isCut: 'More than 1,000 have these words; only the newest of them are listed. Add a word, or a filter.',
  lookedAt: (results: number) =>
    `Looked at: the newest notes, and the newest ${results} results that the words allow, of each chip.`,
  skipped: (chips: number) =>
    `${chips === 1 ? 'One more chip was' : `${chips} more chips were`} left out: choose one under “Chip”.`,
  kinds: {
    CONVERSATION: 'Conversation',
    QUESTION: 'Question',
    ANSWER: 'Answer',
    JOB: 'Job',
    COMMENT: 'Comment',
    BUILDER: 'Builder',
    BOARD: 'Board',
    NOTE: 'Note',
    RESULT: 'Result',
  },
  noRecord: 'No such record',
  noRecordText: (taskId: string) => `The project has no result ${taskId}.`,
  openRecord: 'Open the record',
  ofExecution: (id: string) => `stored result of execution ${id}`,
  linkedRecord: 'The record of the link',
  copyLink: 'Copy a link to this',
  linkCopied: 'Link copied',
};
