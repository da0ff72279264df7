const text = await git.log({ count: 100 });
const words = text
  .split('\n')
  .filter(Boolean)
  .map((line) => /^(?<hash>[0-9a-f]+) (?<subject>.*)$/.exec(line)?.groups)
  .filter((groups) => groups !== undefined);
const kinds = Object.groupBy(words, ({ subject }) => subject.split(':')[0]);
for (const [kind, list] of Object.entries(kinds)) console.log('%s\t%d', kind, list.length);
