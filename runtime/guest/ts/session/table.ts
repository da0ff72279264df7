/** What of sessions the rest of the system calls; the build makes it load when it is first called (build/parts.mjs). */

import { answerQuestion } from "./ask";
import { startLine } from "./lines";

export { answerQuestion, startLine };
