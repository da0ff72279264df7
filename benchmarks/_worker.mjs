// What `_worker.py` is for the two Pythons: node measures the cases that make sense without a sandbox.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const AsyncFunction = (async () => {}).constructor;

const add = async ({ a, b }) => a + b;
const nap = ({ i }) => new Promise((resolve) => setTimeout(() => resolve(i), 20));

const script = (name) => {
  const body = new AsyncFunction(readFileSync(new URL(`./scripts/${name}.js`, import.meta.url), 'utf8'));
  return async () => {
    if ((await body()) !== 'ok') throw new Error(`${name}.js came to something else`);
  };
};

const cases = {
  calls: () => async () => {
    let n = 0;
    for (let i = 0; i < 1000; i++) n = await add({ a: n, b: i });
  },
  concurrent: () => () => Promise.all(Array.from({ length: 100 }, (_, i) => nap({ i }))),
  'concurrent-async': () => () => Promise.all(Array.from({ length: 100 }, (_, i) => nap({ i }))),
  ...Object.fromEntries(['compute', 'json', 'regex', 'sort'].map((name) => [name, () => script(name)])),
};

const prepared = new Map();

async function measure(name) {
  if (!Object.hasOwn(cases, name)) return { problem: '-' };
  if (!prepared.has(name)) prepared.set(name, cases[name]());
  const start = performance.now();
  try {
    await prepared.get(name)();
  } catch (error) {
    return { problem: String(error) };
  }
  return { value: performance.now() - start };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await measure(JSON.parse(line))));
}
