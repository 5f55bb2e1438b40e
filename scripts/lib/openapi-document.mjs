/**
 * The operations of an OpenAPI document, with references to parameters resolved.
 * @param {any} document
 * @returns {{ id: string, method: string, path: string, operation: any, parameters: any[] }[]} method in capitals
 */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(document, parameter)),
    }))
  )
}

/** The answer of a success: the first of 200 and 201 that has a body. */
export function successOf({ id, operation }) {
  const found = Object.entries(operation.responses).find(([status, { content }]) => status < 300 && content)
  if (!found) {
    throw new Error(`${id} has no answer of success with a body`)
  }
  const [status, { description, content }] = found
  const [type, { schema, example }] = Object.entries(content)[0]
  return { status: Number(status), description, type, schema, example }
}

function resolve(document, value) {
  if (!value.$ref) {
    return value
  }
  const [, ...keys] = value.$ref.split("/")
  return keys.reduce((node, key) => node[key], document)
}
