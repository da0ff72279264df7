import assert from 'node:assert';

async function* pages(limit = 100) {
  let after;
  do {
    const page = await stripe.charges.list(after ? { limit, starting_after: after } : { limit });
    yield* page.data;
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after);
}

const byMonth = {};
for await (const charge of pages()) {
  assert(charge.amount >= 0, 'an amount below zero');
  const month = new Date(charge.created * 1000).toISOString().slice(0, 7);
  byMonth[month] ??= 0;
  byMonth[month] += charge.amount;
}
return byMonth;
