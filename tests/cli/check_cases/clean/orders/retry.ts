type Order = { id: string; customer: string; total: number };

/** Call something again when it fails for a passing reason. */
async function retry<T>(action: () => Promise<T>, times = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error: unknown) {
      if (attempt >= times || !(error instanceof Error) || error.name === 'ToolDeniedError') throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
    }
  }
}

class Batch {
  #done: string[] = [];

  constructor(private readonly size: number) {}

  async run(ids: readonly string[]): Promise<string[]> {
    for (let i = 0; i < ids.length; i += this.size) {
      const orders: Order[] = await Promise.all(ids.slice(i, i + this.size).map((id) => retry(() => this.fetch(id))));
      this.#done.push(...orders.map((order) => order.id));
    }
    return this.#done;
  }

  private async fetch(id: string): Promise<Order> {
    return (await tools.call('orders/get', { id })) as Order;
  }
}

const batch = new Batch(5);
console.log(await batch.run(['o1', 'o2', 'o3']));
