const amount = 25_00;
const charge = await stripe.charges.create({ amount, currency: 'EUR', customer: 'cus_123' });
console.log(charge.status);
