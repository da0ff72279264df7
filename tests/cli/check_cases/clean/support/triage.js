const open = await tickets.list_open({ limit: 20 });
const urgent = open.filter((ticket) => ticket.labels.includes('urgent') || /outage|down/i.test(ticket.title));

for (const ticket of urgent) {
  const detail = await tickets.get_ticket({ id: ticket.id });
  const summary = detail.body.length > 500 ? `${detail.body.slice(0, 497)}...` : detail.body;
  await tickets.add_comment({ id: ticket.id, text: 'Seen by the assistant; a person will answer.' });
  await mail.send({
    to: ['oncall@example.com'],
    subject: `[${ticket.id}] ${ticket.title}`.slice(0, 200),
    body: summary,
  });
}
return `${urgent.length} of ${open.length} are urgent`;
