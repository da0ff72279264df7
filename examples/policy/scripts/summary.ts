interface Ticket {
  id: number;
  title: string;
  customer: string;
}

const open = (await tickets.list({ limit: 100 })) as Ticket[];
const byCustomer = Map.groupBy(open, (ticket: Ticket) => ticket.customer);
for (const [customer, list] of byCustomer) {
  console.log(`${customer}: ${list.map((ticket: Ticket) => ticket.title).join('; ')}`);
}
