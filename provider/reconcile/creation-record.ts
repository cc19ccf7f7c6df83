/**
 * Our own record of creations: the id of an object is written down durably before it loses its marker, and crossed out
 * once the engine's state is seen to hold it. What a killed run finished and no state knows is then taken by its id, and
 * by nothing else (docs/decisions/exactly-once.md).
 */
export interface RecordedCreation {
  /** STACK and OWN of the identity (identity.ts). */
  readonly own: string;
  /** What it was created from: SPEC of the marker; empty for kinds without one. */
  readonly spec: string;
  readonly kind: string;
  readonly id: string;
  readonly account?: string;
}

/** Its POST may have made it, the answer was lost, and no look has found it: what is needed to look again. */
export interface LostCreation {
  readonly own: string;
  readonly kind: string;
  /** What stands before the marker. */
  readonly called: string;
  readonly account?: string;
}

/** A killed run may have made it, no look showed it, and it was made anew: a list that is behind may show the first one yet. */
export interface SoughtCreation extends LostCreation {
  /** When it was looked for, ISO-8601. */
  readonly at: string;
}

/** A call of which nothing but the answer tells what it made, as who looks for that in the app needs it. */
export interface OpenQuestion {
  readonly own: string;
  readonly kind: string;
  /** With its kind, as the program calls it. */
  readonly called: string;
  /** What tells it from others of its kind. */
  readonly sketch: string;
  /** ISO-8601. */
  readonly at: string;
}

/** What a killed run was creating and a later one does not take in: known until it is gone, whatever that later run forgets. */
export interface UnwantedCreation {
  readonly own: string;
  readonly urn: string;
  /** Of the engine's type. */
  readonly type: string;
  readonly provider?: string;
  /** What stands before the marker, where it was made under one. */
  readonly called?: string;
  /** What our record knew of it before. */
  readonly made?: RecordedCreation;
}

export interface CreationRecord {
  /** Before a creation: resolves once it is known, durably, that this run keeps the record. */
  begin(): Promise<void>;
  /** Durable when the promise resolves. */
  made(creation: RecordedCreation): Promise<void>;
  /** What was done to this object on its way, sealed: it is in no state yet. Durable when the promise resolves; where such notes aren't kept, at once. */
  noted(own: string, id: string, note: string): Promise<void>;
  /** The last note of an object that is in no state, as far as is known. */
  note(own: string, id: string): string | undefined;
  /** Before a call of which nothing but the answer tells what it made. Durable when the promise resolves. */
  asked(own: string, question?: OpenQuestion): Promise<void>;
  /**
   * Before a call of which nothing but the name tells what it made, from this SPEC: it is unanswered until a state holds that.
   * Durable when the promise resolves.
   */
  named(own: string, spec: string): Promise<void>;
  /** The run ends without knowing what became of it. Durable when the promise resolves. */
  lost(creation: LostCreation): Promise<void>;
  /** Before it is made anew. Durable when the promise resolves. */
  sought(creation: SoughtCreation): Promise<void>;
  /** That call has failed, and this run says so. */
  failed(own: string): void;
  /** A run asked, and ended before it knew what became of that. */
  isUnanswered(own: string): boolean;
  /** Those of them that earlier runs put, and told what they were about. */
  openQuestions(own: string): readonly OpenQuestion[];
  /** What was made for this resource and is in no state, as far as is known. */
  find(own: string): RecordedCreation | undefined;
  /** A state holds this object, or it is gone. */
  settled(own: string, id: string): void;
  /** A state holds what only its name finds, made from this SPEC. */
  held(own: string, spec: string): void;
  /** Whether it was kept when the creation of this resource was begun: then what it doesn't tell was not finished. */
  covers(own: string): boolean;
}

/** Keeps nothing, for what runs without a state. */
export const NO_RECORD: CreationRecord = {
  begin: () => Promise.resolve(),
  made: () => Promise.resolve(),
  noted: () => Promise.resolve(),
  note: () => undefined,
  asked: () => Promise.resolve(),
  named: () => Promise.resolve(),
  lost: () => Promise.resolve(),
  sought: () => Promise.resolve(),
  failed: () => undefined,
  isUnanswered: () => false,
  openQuestions: () => [],
  find: () => undefined,
  settled: () => undefined,
  held: () => undefined,
  covers: () => false,
};
