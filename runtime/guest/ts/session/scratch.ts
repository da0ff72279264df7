/** A realm that no script has touched, to look at what every realm has. */

import { kernel } from "../bridge/kernel";
import * as realms from "../bridge/realms";

let scratch: realms.RunRealm | undefined;

export function lookingGlass(): realms.RunRealm {
  return (scratch ??= realms.fresh(kernel));
}
