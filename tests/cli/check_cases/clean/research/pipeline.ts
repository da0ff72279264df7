type Step<A, B> = (input: A) => Promise<B> | B;

function pipe<A, B, C>(first: Step<A, B>, second: Step<B, C>): Step<A, C> {
  return async (input) => second(await first(input));
}

const search: Step<string, { url: string }[]> = async (q) => (await web.search({ q })).results;
const firstThree: Step<{ url: string }[], string[]> = (hits) => hits.slice(0, 3).map((hit) => hit.url);

abstract class Sink<T> {
  abstract put(value: T): Promise<void>;
  async all(values: Iterable<T>): Promise<void> {
    for (const value of values) await this.put(value);
  }
}

class Notes extends Sink<string> {
  override async put(url: string): Promise<void> {
    await notes.append({ title: new URL(url).hostname, text: url });
  }
}

const urls = await pipe(search, firstThree)('wasm memory protection');
await new Notes().all(urls);
