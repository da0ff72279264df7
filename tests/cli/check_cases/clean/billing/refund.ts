const enum Reason { Duplicate = 'duplicate', Requested = 'requested' }

async function refund(charge: string, amount: number, reason: Reason): Promise<string> {
  console.log(`refunding ${amount} of ${charge}: ${reason}`);
  const done = await stripe.refunds.create({ charge, amount });
  return done.id;
}

console.log(await refund('ch_1', 500, Reason.Requested));
