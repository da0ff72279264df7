// Joins three tools over a month of orders: what each customer paid, in dollars.
const month = process.argv[2] ?? '2026-02';

const orders = await list_orders({ month, status: 'paid' });
const ids = [...new Set(orders.map((order) => order.customer_id))];
const people = await Promise.all(ids.map((id) => customers.get({ id })));
const currencies = [...new Set(people.map((person) => person.currency))];
const rates = Object.fromEntries(
  await Promise.all(currencies.map(async (currency) => [currency, await exchange_rate({ currency })])),
);

const rows = people.map((customer) => {
  const own = orders.filter((order) => order.customer_id === customer.id);
  const paid = own.reduce((sum, order) => sum + order.quantity * order.unit_price, 0);
  return { customer: customer.name, country: customer.country, orders: own.length, usd: paid * rates[customer.currency] };
});
rows.sort((a, b) => b.usd - a.usd);

console.log(`Paid orders of ${month}`);
for (const row of rows) {
  const amount = row.usd.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  console.log(`${row.customer.padEnd(16)} ${row.country}  ${String(row.orders).padStart(2)} orders ${amount.padStart(12)}`);
}
const total = rows.reduce((sum, row) => sum + row.usd, 0);
console.log(`${ids.length} customers, ${orders.length} orders, ${total.toLocaleString('en-US', { style: 'currency', currency: 'USD' })}`);

try {
  await refund({ order_id: orders[0].order_id, amount: 500 });
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
