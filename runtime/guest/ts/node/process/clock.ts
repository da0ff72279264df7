import { kernel } from "amla:kernel";

const run = kernel.process;

export function hrtime(previous?: [number, number]): [number, number] {
  const nanoseconds = hrtime.bigint() - (previous ? BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]) : 0n);
  return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
}
hrtime.bigint = (): bigint => BigInt(Math.round(run.monotonic() * 1e6)) + 1_000_000_000n;

export function memoryUsage(): Record<string, number> {
  const bytes = run.memory();
  return { rss: bytes, heapTotal: bytes, heapUsed: bytes, external: 0, arrayBuffers: 0 };
}
memoryUsage.rss = (): number => run.memory();

export function cpuUsage(): { user: number; system: number } {
  return { user: Math.round(run.monotonic() * 1000), system: 0 };
}

export function resourceUsage(): { userCPUTime: number; maxRSS: number } {
  return { userCPUTime: Math.round(run.monotonic() * 1000), maxRSS: Math.round(run.memory() / 1024) };
}
