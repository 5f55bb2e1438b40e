/** What Stripe answers instead of an object. `saved`: kept under the idempotency key, because the request was carried out. */
export class StripeFault extends Error {
  constructor(status, error, saved = false) {
    super(error.message)
    this.status = status
    this.body = { error: { type: "invalid_request_error", ...error } }
    this.saved = saved
  }
}

export const invalid = (message, more = {}) => new StripeFault(400, { message, ...more })

/** `a[b][0][c]=x` as nested objects. */
export function parseForm(text) {
  const root = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[")
    if (!/^[^[\]]+(\[[^[\]]*\])*$/.test(name)) {
      throw invalid(`Invalid parameter name: ${name}`)
    }
    let at = root
    path.slice(0, -1).forEach((part, index) => {
      at[part] ??= {}
      if (typeof at[part] !== "object") {
        throw invalid(`Invalid object: ${path.slice(0, index + 1).join("[")}`)
      }
      at = at[part]
    })
    const last = path.at(-1) === "" ? String(Object.keys(at).length) : path.at(-1)
    at[last] = value
  }
  return root
}

const nameOf = (path) => path.map((part, index) => (index === 0 ? part : `[${part}]`)).join("")

export const integer =
  ({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  (value, path) => {
    if (typeof value !== "string" || !/^-?[0-9]+$/.test(value)) {
      throw invalid(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param: nameOf(path) })
    }
    if (Number(value) < min || Number(value) > max) {
      throw invalid(`This value must be between ${min} and ${max}.`, { param: nameOf(path) })
    }
    return Number(value)
  }

export const text =
  ({ max = 5_000, pattern = /[^]/ } = {}) =>
  (value, path) => {
    if (typeof value !== "string") {
      throw invalid("Invalid string", { param: nameOf(path) })
    }
    if (value === "") {
      throw invalid(`You passed an empty string for '${nameOf(path)}'.`, {
        code: "parameter_invalid_empty",
        param: nameOf(path),
      })
    }
    if (value.length > max || !pattern.test(value)) {
      throw invalid(`Invalid string: ${nameOf(path)} is at most ${max} characters.`, { param: nameOf(path) })
    }
    return value
  }

export const oneOf =
  (...values) =>
  (value, path) => {
    if (!values.includes(value)) {
      throw invalid(`Invalid ${nameOf(path)}: must be one of ${values.join(", ")}`, { param: nameOf(path) })
    }
    return value
  }

export const flag = (value, path) => oneOf("true", "false")(value, path) === "true"

export const url = (value, path) => {
  if (!/^https?:\/\/[^/\s]+/.test(text({ max: 5_000 })(value, path))) {
    throw invalid("Not a valid URL", { code: "url_invalid", param: nameOf(path) })
  }
  return value
}

export const email = (value, path) => {
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text({ max: 512 })(value, path))) {
    throw invalid(`Invalid email address: ${value}`, { code: "email_invalid", param: nameOf(path) })
  }
  return value
}

/** At most 50 keys of 40 characters with values of 500. */
export const metadata = (value, path) => {
  if (typeof value !== "object" || Object.keys(value).length > 50) {
    throw invalid("Invalid metadata", { param: nameOf(path) })
  }
  for (const [key, one] of Object.entries(value)) {
    if (key.length > 40 || typeof one !== "string" || one.length > 500) {
      throw invalid("Metadata keys have at most 40 characters, values 500.", { param: nameOf([...path, key]) })
    }
  }
  return { ...value }
}

export const listOf = (item) => (value, path) => {
  const keys = typeof value === "object" ? Object.keys(value) : []
  if (keys.length === 0 || keys.some((key, index) => key !== String(index))) {
    throw invalid("Invalid array", { param: nameOf(path) })
  }
  return keys.map((key) => item(value[key], [...path, key]))
}

/** `fields`: a reader per parameter; `required` names those without which nothing is done. Everything else is refused. */
export const object =
  (fields, required = []) =>
  (value, path = []) => {
    if (typeof value !== "object") {
      throw invalid("Invalid object", { param: nameOf(path) })
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) {
        const param = nameOf([...path, key])
        throw invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param })
      }
    }
    for (const key of required) {
      if (value[key] === undefined) {
        const param = nameOf([...path, key])
        throw invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param })
      }
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fields[key](one, [...path, key])]))
  }
