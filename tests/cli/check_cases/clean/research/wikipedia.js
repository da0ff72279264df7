const article = 'Capability-based_security';
const page = await web.fetch({ url: `https://en.wikipedia.org/wiki/${article}`, timeout: 5 });
const links = [...page.text.matchAll(/href="\/wiki\/([^":#]+)"/g)].map(([, name]) => decodeURIComponent(name));
const counts = links.reduce((all, name) => ({ ...all, [name]: (all[name] ?? 0) + 1 }), {});
const top = Object.entries(counts).toSorted((a, b) => b[1] - a[1]).slice(0, 10);
console.log(top.map(([name, n]) => `${n}\t${name}`).join('\n'));
