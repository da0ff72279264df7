const open = await orders.list({ status: 'open' });
const small = open.filter((o) => o.items.length < 5);

const results = await Promise.allSettled(
  small.slice(0, 10).map(async ({ id }) => {
    const order = await orders.get({ id });
    const heavy = order.items.some(({ quantity }) => quantity > 20);
    if (heavy) throw new Error(`${id} needs a pallet`);
    return orders.update({ id, status: 'packed', note: null });
  }),
);

const failed = results.filter((r) => r.status === 'rejected').map((r) => r.reason.message);
if (failed.length > 0) {
  await notify({ channel: 'slack', text: `Not packed:\n${failed.join('\n')}` });
}
console.log(`${results.length - failed.length} packed, ${failed.length} not`);
