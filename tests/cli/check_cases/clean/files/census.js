const { readFileSync, readdirSync, statSync } = require('fs');
const { join, extname } = require('path');

function* walk(folder) {
  for (const name of readdirSync(folder)) {
    const full = join(folder, name);
    if (statSync(full).isDirectory()) yield* walk(full);
    else yield full;
  }
}

const sizes = {};
for (const file of walk('/workspace')) {
  const kind = extname(file) || '(none)';
  sizes[kind] = (sizes[kind] || 0) + readFileSync(file).length;
}
const report = Object.entries(sizes).map(([kind, size]) => `${kind}: ${size}`).join('\n');
(async () => {
  await files.write({ path: '/srv/out/census.txt', text: report });
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
