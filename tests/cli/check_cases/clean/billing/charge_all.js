const bills = JSON.parse(await fs.readFile('bills.json', 'utf8').catch(() => '[]'));
let paid = 0;
const problems = [];
for (const { customer, amount, currency = 'USD' } of bills) {
  if (!Number.isInteger(amount) || amount <= 0) {
    problems.push(`${customer}: ${amount} is no amount`);
    continue;
  }
  try {
    const { id } = await stripe.charges.create({ amount, currency, customer, metadata: { run: 'nightly' } });
    paid += amount;
    console.log(id);
  } catch (error) {
    if (error.code === 'NOT_APPROVED') break;
    problems.push(`${customer}: ${error.message}`);
  }
}
console.log('paid', paid.toLocaleString('en-US', { style: 'currency', currency: 'USD' }));
problems.forEach((problem) => console.error(problem));
