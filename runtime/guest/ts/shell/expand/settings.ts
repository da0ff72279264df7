/** How texts are parsed that come up while a script runs. */

import type { Settings } from "../syntax/reader";

export const SETTINGS: Settings = { aliases: () => undefined, extglob: () => true, posix: () => false, warn: () => undefined };
