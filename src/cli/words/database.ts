import type { Wording } from "./sentence"

/** The error for each reason why a database cannot be read: of `doctor` and of the commands that need the database. */
export const DATABASE_ERRORS = {
  refused: "DATABASE_REFUSED",
  unknown_host: "DATABASE_HOST_UNKNOWN",
  password: "DATABASE_PASSWORD_WRONG",
  no_database: "DATABASE_MISSING",
  other: "DATABASE_FAILED",
} as const

export const DATABASE_WORDS = {
  DATABASE_UNSET: { message: "No database is named.", fix: "Set DATABASE_URL, for example in .env." },
  DATABASE_REFUSED: {
    message: "PostgreSQL does not answer at {place}.",
    fix: "Start it, or correct host and port in DATABASE_URL.",
  },
  DATABASE_HOST_UNKNOWN: {
    message: "The database's host is unknown: {place}.",
    fix: "Correct the host in DATABASE_URL.",
  },
  DATABASE_PASSWORD_WRONG: {
    message: "PostgreSQL at {place} refuses the user or password.",
    fix: "Correct both in DATABASE_URL; special characters are percent-encoded there.",
  },
  DATABASE_MISSING: {
    message: "The database {place} does not exist.",
    fix: "Create it with `npx medusa db:create`, or correct its name in DATABASE_URL.",
  },
  DATABASE_FAILED: {
    message: "The database {place} cannot be read: {reason}",
    fix: "Correct what PostgreSQL complains of.",
  },
} as const satisfies Record<string, Wording>
