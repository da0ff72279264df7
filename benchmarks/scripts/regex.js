// A log of 10,000 lines, matched and rewritten.
const lines = Array.from(
  { length: 10_000 },
  (_, i) => `2024-03-${String((i % 28) + 1).padStart(2, '0')}T10:00:00Z ${i % 7 ? 'INFO' : 'ERROR'} user=${i % 97} took ${i % 1000}ms path=/a/${i}`,
);
const log = lines.join('\n');
const errors = [...log.matchAll(/^(\S+) ERROR user=(\d+) took (\d+)ms/gm)].length;
const slow = lines.filter((line) => /took [5-9]\d\dms/.test(line)).length;
const masked = log.replace(/user=(\d+)/g, (_, user) => `user=<${user.length}>`);
const words = log.split(/\s+|=|\//).length;
return errors === 1429 && slow === 5000 && masked.includes('user=<2>') && words === 100_000 ? 'ok' : 'wrong';
