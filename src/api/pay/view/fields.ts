import type { FieldName } from "../form/fields"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/html"
import type { FormView } from "./form-view"

/** The attributes that connect a control to its hint and its problem. */
export function description(view: FormView, name: FieldName, hint: boolean): Markup {
  const wrong = view.problems.has(name)
  const ids = [hint ? `${name}-hint` : "", wrong ? `${name}-error` : ""].filter(Boolean).join(" ")
  return html`${ids !== "" && html` aria-describedby="${ids}"`}${wrong && html` aria-invalid="true"`}`
}

export function problemText(view: FormView, name: FieldName): Markup | null {
  const text = view.problems.get(name)
  return text === undefined ? null : html`<p class="error" id="${name}-error">${text}</p>`
}

type TextField = {
  name: FieldName
  label: string
  hint?: string
  autocomplete: string
  type?: "text" | "tel" | "password"
  inputmode: "numeric" | "tel" | "text"
  maxlength: number
  half?: boolean
  /** Secrets are never written into a page again, not even into the page that shows their problem. */
  secret: boolean
  after?: Renderable
  className?: string
}

export function textField(view: FormView, field: TextField): Markup {
  const { name } = field
  const value = field.secret ? "" : (view.entered.get(name) ?? "")
  return html`<div class="field${field.half ? " half" : ""}">
<label for="${name}">${field.label}</label>
${field.hint !== undefined && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
<div class="control ${field.className ?? ""}"><input id="${name}" name="${name}" type="${field.type ?? "text"}" inputmode="${field.inputmode}" autocomplete="${field.autocomplete}" maxlength="${field.maxlength}" value="${value}" aria-required="true"${description(view, name, field.hint !== undefined)} autocapitalize="off" autocorrect="off" spellcheck="false" data-check>${field.after}</div>
${problemText(view, name)}
</div>`
}
