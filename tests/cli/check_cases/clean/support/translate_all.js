const languages = ['de', 'fr', 'es'];
const greeting = 'Thank you for your patience.';
const translated = Object.fromEntries(
  await Promise.all(languages.map(async (to) => [to, await translate({ text: greeting, to })])),
);
console.log(util.inspect(translated, { depth: 1 }));

import util from 'node:util';
