import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter } from 'node:events';

type State = 'ok' | 'down';

class Monitor extends EventEmitter {
  private states = new Map<string, State>();

  async poll(service: string): Promise<void> {
    const state: State = await health({ service }).then(
      (answer: { status: State }) => answer.status,
      () => 'down' as const,
    );
    if (this.states.get(service) !== state) this.emit('change', service, state);
    this.states.set(service, state);
  }
}

const monitor = new Monitor();
monitor.on('change', (service: string, state: State) => console.log(`${service} is ${state}`));
for (let round = 0; round < 3; round++) {
  await Promise.all(['web', 'api', 'worker'].map((service) => monitor.poll(service)));
  await sleep(10);
}
