/** `Event`, `CustomEvent` and `EventTarget` as the DOM has them, without a tree. */

export { CustomEvent, Event } from "./event_target/event";
export { EventTarget, listenersOf } from "./event_target/target";
