export function install(_global: unknown, _require: unknown): void {}
