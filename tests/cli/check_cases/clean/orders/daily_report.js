// Sum up the open orders by customer and write a report.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const orders = await orders_of('open');
const totals = new Map();
for (const { customer, total } of orders) {
  totals.set(customer, (totals.get(customer) ?? 0) + total);
}

const rows = [...totals]
  .sort(([, a], [, b]) => b - a)
  .map(([customer, total]) => ({ customer, total: total.toFixed(2) }));
console.table(rows);

const file = path.join('/workspace', `report-${new Date().toISOString().slice(0, 10)}.csv`);
await writeFile(file, ['customer,total', ...rows.map((row) => `${row.customer},${row.total}`)].join('\n'));
return { customers: rows.length, file };

async function orders_of(status) {
  const found = await tools.call('orders/list', { status, limit: 50 });
  return found.filter((order) => order.total > 0);
}
