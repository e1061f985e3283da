/** What a subscriber imports of the package: the types of an event, and patterns for rules. */
export type { RelayEvent } from '../relay/event.ts';
export type { BusEvent, EventSource } from './bus-event.ts';
export { pattern, type Wanted } from './pattern.ts';
export { type EventPattern, READY_PATTERNS, type ReadyPattern, type ReadyPatternName } from './ready-patterns.ts';
