import { kernel } from "amla:kernel";

type Check = (value: unknown) => boolean;

const { types } = kernel;

const never: Check = () => false;
const isAnyArrayBuffer: Check = (value) => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);

const ARRAYS = [
  "Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array", "Int8Array", "Int16Array", "Int32Array",
  "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
];

function arrayChecks(): Record<string, Check> {
  return Object.fromEntries(ARRAYS.map((name) => [`is${name}`, (value: unknown) => types.typedArrayName(value) === name]));
}

const FROM_ENGINE = [
  "isDate", "isArgumentsObject", "isBigIntObject", "isBooleanObject", "isNumberObject", "isStringObject",
  "isSymbolObject", "isNativeError", "isRegExp", "isAsyncFunction", "isGeneratorFunction", "isGeneratorObject",
  "isPromise", "isMap", "isSet", "isMapIterator", "isSetIterator", "isWeakMap", "isWeakSet", "isArrayBuffer",
  "isDataView", "isSharedArrayBuffer", "isProxy", "isModuleNamespaceObject",
] as const;

function engineChecks(): Record<string, Check> {
  return Object.fromEntries(FROM_ENGINE.map((name) => [name, types[name] as Check]));
}

/** `util.types`. */
export const typeChecks: Record<string, Check> = {
  isExternal: never,
  ...engineChecks(),
  isAnyArrayBuffer,
  isBoxedPrimitive: types.isBoxedPrimitive,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isTypedArray: types.isTypedArray,
  ...arrayChecks(),
  isKeyObject: never,
  isCryptoKey: never,
};
