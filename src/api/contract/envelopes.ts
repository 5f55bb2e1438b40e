/** What an operation answers: HTTP status and JSON body. */
export type Answer = { status: number; body: unknown }

/** Envelope A of contract 4: `{ success, message, data, meta }`. */
export function envelope(message: string, data: unknown, meta: Record<string, unknown> = {}): Answer {
  return { status: 200, body: { success: true, message, data, meta } }
}
