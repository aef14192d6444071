/** Texts of what goes into a logbook. */
export const logbook = {
  title: 'Put into a logbook',
  rich: 'Copy as rich text',
  markdown: 'Copy as Markdown',
  card: 'Download as PNG card',
  print: 'Print, or save as PDF',
  copied: 'Copied: title, dates, sources and link come along.',
  failed: 'The browser did not allow it. Try another form, or another browser.',
  more: '… the rest is behind the link.',
  facts: {
    chip: 'Chip',
    written: 'Written',
    data: 'Data',
    records: 'Records',
    link: 'Link',
    moreRecords: (count: number) => `and ${count} more`,
  },
};
