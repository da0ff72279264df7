const [, , name = 'smith'] = process.argv;
const { search } = customers;
const hits = await search({ query: name, limit: 5 });
if (!hits.length) {
  console.error(`nobody is called ${name}`);
  process.exit(1);
}
const best = hits.reduce((a, b) => (a.name.localeCompare(b.name) <= 0 ? a : b));
console.log(JSON.stringify(best, null, 2));
