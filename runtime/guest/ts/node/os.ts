import { kernel } from "amla:kernel";

/** Facts about a machine that is the same for every script and tells nothing of the host. */

const MEMORY = 256 * 1024 * 1024;

const signals = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15 };
const errno = {
  EPERM: 1,
  ENOENT: 2,
  EIO: 5,
  EBADF: 9,
  EACCES: 13,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENOSPC: 28,
};

export const EOL = "\n";
export const devNull = "/dev/null";
export const constants = {
  signals,
  errno,
  priority: {
    PRIORITY_LOW: 19,
    PRIORITY_BELOW_NORMAL: 10,
    PRIORITY_NORMAL: 0,
    PRIORITY_HIGH: -14,
    PRIORITY_HIGHEST: -20,
  },
};

export const arch = (): string => "x64";
export const availableParallelism = (): number => 1;
/** One, as scripts divide work by their number, or look at the first. */
export const cpus = (): object[] => [
  { model: "WebAssembly", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } },
];
export const endianness = (): string => "LE";
export const freemem = (): number => Math.max(MEMORY - kernel.process.memory(), 0);
export const getPriority = (): number => 0;
export const homedir = (): string => kernel.process.env["HOME"] ?? "/workspace";
export const hostname = (): string => "sandbox";
export const loadavg = (): number[] => [0, 0, 0];
export const machine = (): string => "x86_64";
export const networkInterfaces = (): object => ({});
export const platform = (): string => "linux";
export const release = (): string => "6.0.0";
export const setPriority = (): void => {};
export const tmpdir = (): string => kernel.process.env["TMPDIR"] ?? "/tmp";
export const totalmem = (): number => MEMORY;
export const type = (): string => "Linux";
export const uptime = (): number => kernel.process.monotonic() / 1000;
export const userInfo = (): object => ({
  uid: 1000,
  gid: 1000,
  username: "user",
  homedir: homedir(),
  shell: "/bin/bash",
});
export const version = (): string => "#1 SMP";
