// Text to values and back: 4,000 records of a kind that tools return, five times.
const records = Array.from({ length: 4000 }, (_, i) => ({
  id: i,
  name: `customer ${i}`,
  email: `c${i}@example.com`,
  active: i % 3 === 0,
  balance: i * 1.25,
  tags: ['a', 'b', `t${i % 10}`],
  address: { city: 'Köln', lines: ['Ring 1', null] },
}));
let text = JSON.stringify(records);
for (let i = 0; i < 5; i++) text = JSON.stringify(JSON.parse(text));
return JSON.parse(text).at(-1).balance === 4998.75 ? 'ok' : 'wrong';
