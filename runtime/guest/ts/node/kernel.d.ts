/** What the modules of a script's realm reach outside it: natives of C, and the system realm's functions, wrapped. */

declare module "amla:kernel" {
  export const kernel: {
    readonly bytes: import("../bridge/native").NativeBytes;
    readonly hash: import("../bridge/native").NativeHash;
    readonly random: import("../bridge/native").NativeRandom;
    readonly types: import("../bridge/native").NativeTypes;
    readonly process: import("../bridge/process").KernelProcess;
    readonly timers: import("../bridge/process").KernelTimers;
    readonly tools: import("../bridge/tools").ToolKernel;
    readonly modules: import("../bridge/modules").ModuleKernel;
    readonly shell: import("../bridge/shell_kernel").ShellKernel;
    readonly zlib: import("../bridge/zlib_kernel").ZlibKernel;
    readonly trace: import("../bridge/native").NativeTrace;
    readonly encoding: {
      /** A large text comes as its bytes. */
      stringify(value: unknown): string | Uint8Array;
    };
    readonly vfs: import("../vfs/kernel").VfsKernel;
    readonly console: import("../console/kernel").ConsoleKernel;
    readonly print: import("../console/console").Console;
  };
}

/** Only for the guest's own modules: never handed to scripts. */
declare module "amla:powers" {
  export const powers: import("./prelude").Powers;
  export const builtin: (name: string) => unknown;
}
