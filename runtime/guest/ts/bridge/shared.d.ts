/** Made by the build: what parts of the system import of its bundle, by the path of the file. */
declare module "amla:shared" {
  export function shared(path: string): Record<string, unknown>;
}
