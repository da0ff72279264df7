/** The parser inside sucrase, whose declarations lie elsewhere than its modules. */

declare module "sucrase/dist/esm/parser" {
  export { parse } from "sucrase/dist/types/parser";
}
declare module "sucrase/dist/esm/parser/tokenizer" {
  export { isTopLevelDeclaration, type Token } from "sucrase/dist/types/parser/tokenizer";
}
declare module "sucrase/dist/esm/parser/tokenizer/keywords" {
  export { ContextualKeyword } from "sucrase/dist/types/parser/tokenizer/keywords";
}
declare module "sucrase/dist/esm/parser/tokenizer/types" {
  export { TokenType } from "sucrase/dist/types/parser/tokenizer/types";
}
