import type { messages } from "./en/messages"
import type { KeyOf, ValuesOf } from "./wording"

/** Names one sentence of the catalogue: `refusal.refund_exceeded`. */
export type Kind = KeyOf<typeof messages>

/** What varies in a sentence: a number or text, kept as it is, or another sentence inside this one. */
export type Param = string | number | Message

/**
 * A sentence as data, as programs pass it and rows store it: which sentence, and what varies in it. `translate` makes
 * the words of it, where a person reads them.
 */
export type Message = { kind: Kind; params?: Readonly<Record<string, Param>> }

/** The parameters of a kind; none for a sentence without placeholders. */
export type Args<K extends Kind> = ValuesOf<typeof messages, K, Param>

/** An unknown kind, and a parameter that its sentence needs or does not know, are type errors. */
export function messageOf<K extends Kind>(kind: K, ...[params]: Args<K>): Message {
  return params === undefined ? { kind } : { kind, params }
}

/** What somebody outside said (an acquirer, Medusa), in the language in which it came. */
export function said(text: string): Message {
  return messageOf("said", { text })
}

/** The kind of what is wrong, of a sentence that says in which line or column. */
export function innermostKind({ kind, params }: { kind: string; params?: Message["params"] }): string {
  const what = params?.what
  return what !== undefined && isMessage(what) ? innermostKind(what) : kind
}

/** Whether data from outside this process has the shape of a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string"
}
