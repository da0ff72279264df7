import { typeChecks } from "./util/types";

module.exports = typeChecks;
