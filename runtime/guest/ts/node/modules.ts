/** What a script can import: specifier -> source file in this folder. The build bundles each into the guest. */
export const modules: Record<string, string> = {};
