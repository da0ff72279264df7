const names = (await files.list({ path: '/srv/in' })).split('\n');
for (const name of names.filter((each) => each.endsWith('.csv'))) {
  const text = await files.read({ path: `/srv/in/${name}` });
  const [head, ...rows] = text.trimEnd().split('\n');
  const sorted = rows.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  await files.write({ path: `/srv/out/${name}`, text: [head, ...sorted, ''].join('\n') });
}
