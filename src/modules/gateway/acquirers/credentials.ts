import { messageOf, type Message } from "../../../i18n/message"
import { fault, validationError, type FieldFailure } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import type { AcquirerDefinition, CredentialField } from "./port"

/** An account's credentials, secret or not, by the names of the definition's fields. */
export type Credentials = Readonly<Record<string, string>>

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/
const LINE_BREAKS = /[\r\n]+/g
/** An unknown name is repeated up to here: somebody may have sent a secret in its place. */
const NAME_MAX_CHARS = 40

/**
 * The credentials after a change. What is left out stays as in `stored`, and so does a secret that is sent empty, because
 * a form never has it; null, and for what is no secret an empty text, clears a field. Throws a GatewayError that names
 * every field that is unknown, required or malformed (decisions: Requests).
 */
export function changedCredentials(
  definition: Pick<AcquirerDefinition, "credentials">,
  stored: Credentials,
  given: unknown
): Credentials {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw validationError([fault("credentials", messageOf("rule.object"))])
  }
  const { choicesMax: max } = LIMITS
  if (Object.keys(given).length > max) {
    throw validationError([fault("credentials", messageOf("rule.max_entries", { max }))])
  }
  // A map, so that a member named __proto__ is a name like any other.
  const sent = new Map<string, unknown>(Object.entries(given))
  const fields = definition.credentials
  const failures: FieldFailure[] = []
  const changed: [string, string][] = []
  for (const field of fields) {
    const value = valueOf(field, stored, sent)
    const rule = brokenRule(field, value)
    if (rule !== null) {
      failures.push(fault(`credentials.${field.name}`, rule))
    } else if (typeof value === "string") {
      changed.push([field.name, value])
    }
  }
  const names = fields.map(({ name }) => name)
  for (const name of sent.keys()) {
    if (!names.includes(name)) {
      const rule = messageOf("rule.known_field", { fields: names.join(", ") })
      failures.push(fault(`credentials.${name.slice(0, NAME_MAX_CHARS)}`, rule))
    }
  }
  if (failures.length > 0) {
    throw validationError(failures)
  }
  return Object.fromEntries(changed)
}

/** Null: the field has no value. */
function valueOf({ name, secret }: CredentialField, stored: Credentials, sent: ReadonlyMap<string, unknown>): unknown {
  const value = sent.get(name)
  if (value === undefined || (secret && value === "")) {
    return Object.hasOwn(stored, name) ? stored[name] : null
  }
  return value === "" ? null : value
}

function brokenRule(
  { required, max_length, pattern, multiline, rule }: CredentialField,
  value: unknown
): Message | null {
  if (value === null) {
    return required ? messageOf("rule.required") : null
  }
  if (typeof value !== "string") {
    return messageOf("rule.text")
  }
  if (value.length > max_length) {
    return messageOf("rule.max_length", { max: max_length })
  }
  if (CONTROL_CHARACTERS.test(multiline === true ? value.replace(LINE_BREAKS, "") : value)) {
    return messageOf("rule.no_control_characters")
  }
  if (value.trim() !== value) {
    return messageOf("rule.no_outer_spaces")
  }
  return pattern?.test(value) === false ? messageOf("rule.provider_format") : (rule?.(value) ?? null)
}

/** The part of the credentials that is secret, or the part that is not. */
export function partOf({ credentials: fields }: AcquirerDefinition, values: Credentials, secret: boolean): Credentials {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.secret === secret && Object.hasOwn(values, field.name) ? [[field.name, values[field.name]]] : []
    )
  )
}

/** The names of the fields whose values differ. */
export function changedFields(
  { credentials: fields }: AcquirerDefinition,
  one: Credentials,
  other: Credentials
): string[] {
  return fields.map(({ name }) => name).filter((name) => one[name] !== other[name])
}

/**
 * Whether the credentials may be those of another account at the acquirer. What is required and no secret names the
 * account; a secret alone can be renewed.
 */
export function namesAnotherAccount(definition: AcquirerDefinition, before: Credentials, after: Credentials): boolean {
  return definition.credentials.some(
    ({ name, secret, required }) => required && !secret && before[name] !== after[name]
  )
}

/** An acquirer's words, without any of our secrets in them. */
export function withoutSecrets(definition: AcquirerDefinition, values: Credentials, text: string): string {
  const secrets = Object.values(partOf(definition, values, true))
  return secrets.reduce((words, secret) => words.replaceAll(secret, "…"), text).slice(0, 300)
}
