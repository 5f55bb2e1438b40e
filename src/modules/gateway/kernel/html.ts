const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Text that is already HTML. Only the `html` tag makes it, so a template escapes every other value. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Renderable = string | number | Markup | null | undefined | false | readonly Renderable[]

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character])
}

function render(value: Renderable): string {
  if (value === null || value === undefined || value === false) {
    return ""
  }
  if (value instanceof Markup) {
    return value.text
  }
  if (typeof value === "string" || typeof value === "number") {
    return escapeHtml(String(value))
  }
  return value.map(render).join("")
}

/**
 * Builds HTML and escapes every value. Write attribute values in double quotes: an unquoted one would end at the first
 * space of a merchant's text, escaped or not.
 */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Markup {
  let text = strings[0]
  values.forEach((value, index) => {
    text += render(value) + strings[index + 1]
  })
  return new Markup(text)
}
