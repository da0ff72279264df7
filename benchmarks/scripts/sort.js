// Sorting numbers, text and records, and grouping them.
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647);
const numbers = Array.from({ length: 60_000 }, random);
numbers.sort((a, b) => a - b);
const words = Array.from({ length: 30_000 }, () => random().toString(36));
words.sort();
const rows = Array.from({ length: 20_000 }, (_, i) => ({ key: `k${random() % 500}`, value: i }));
rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.value - a.value));
const groups = new Map();
for (const { key, value } of rows) groups.set(key, (groups.get(key) ?? 0) + value);
return numbers[0] <= numbers[1] && words[0] <= words[1] && groups.size === 500 ? 'ok' : 'wrong';
