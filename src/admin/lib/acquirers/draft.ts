import { typedNumber } from "../../../i18n/typed"
import { changedMembers } from "../use"

/** The fields whose form says more than their name. */
export const HINTS = [
  "topic_arn",
  "unattended_agreements",
  "secret_key",
  "webhook_secret",
  "merchant_number",
  "public_key",
  "private_key",
  "server_ip",
  "prefix",
] as const

export type AcquirerField = { name: string; secret: boolean; required: boolean; max_length: number; variable: string }

export type Account = {
  id: string
  source: "admin" | "environment"
  is_active: boolean
  is_readable: boolean
  position: number | null
  services: string[]
  settings: Record<string, string>
  secrets: Record<string, boolean>
  last_test: { at: string; problem: string | null } | null
  worked_at: string | null
}

export type Acquirer = {
  id: string
  name: string
  services: string[]
  fields: AcquirerField[]
  return_url: string
  notification_url: string | null
  account: Account | null
}

export type Outcome = { works: boolean; problem: string | null; message: string | null; is_stored: boolean }

/** What stands in the form of an account. */
export type Draft = {
  values: Record<string, string>
  services: string[]
  is_active: boolean
  position: string
}

/** The form as it opens: stored secrets never come back from the server, so their fields are empty. */
export function draftOf({ fields, services, account }: Acquirer): Draft {
  return {
    values: Object.fromEntries(fields.map(({ name }) => [name, account?.settings[name] ?? ""])),
    // None stored means all.
    services: account === null || account.services.length === 0 ? services : account.services,
    is_active: account?.is_active ?? true,
    position: account?.position === null || account === null ? "" : String(account.position),
  }
}

/** What is sent of the credentials: an empty secret is left out, because it means "unchanged". Pasted spaces are cut. */
export function credentialsOf({ fields }: Acquirer, { values }: Draft): Record<string, string> {
  const given = fields.map(({ name, secret }) => ({ name, secret, value: (values[name] ?? "").trim() }))
  return Object.fromEntries(
    given.filter(({ secret, value }) => !secret || value !== "").map(({ name, value }) => [name, value])
  )
}

function routingOf(acquirer: Acquirer, { services, is_active, position }: Draft) {
  const isAll = services.length === acquirer.services.length
  return {
    services: isAll ? [] : services,
    is_active,
    position: typedNumber(position) ?? null,
  }
}

/** A new account, or what the admin has changed of one since the form was opened, and nothing else. */
export function changeOf(acquirer: Acquirer, draft: Draft, opened: Draft): object {
  const [credentials, routing] = [credentialsOf(acquirer, draft), routingOf(acquirer, draft)]
  if (acquirer.account === null) {
    return { credentials, ...routing }
  }
  const changed = changedMembers(credentials, credentialsOf(acquirer, opened))
  return {
    ...(Object.keys(changed).length === 0 ? {} : { credentials: changed }),
    ...changedMembers(routing, routingOf(acquirer, opened)),
  }
}

export type Connection = "untested" | "works" | "failing" | "never_worked" | "unreadable"

/** What tests have found about an account's present credentials. */
export function connectionOf({ is_readable, last_test, worked_at }: Account): Connection {
  if (!is_readable) {
    return "unreadable"
  }
  if (last_test === null) {
    return "untested"
  }
  if (last_test.problem === null) {
    return "works"
  }
  return worked_at === null ? "never_worked" : "failing"
}
