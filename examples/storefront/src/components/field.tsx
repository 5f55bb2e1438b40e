import { byId, fill, h, type Children, type View } from "../lib/dom"

type FieldProps = {
  id: string
  label: string
  hint?: string
  value?: string | null
  type?: string
  inputmode?: string
  autocomplete: string
  required?: boolean
  maxlength?: number
}

/** A labelled text field with its hint and its error message; screen readers read both with the field. */
export function Field({ label, hint, value, type = "text", required = true, ...input }: FieldProps): View {
  return (
    <FieldFrame id={input.id} label={label} hint={hint}>
      <input
        {...input}
        name={input.id}
        type={type}
        value={value ?? ""}
        aria-describedby={describedBy(input.id, hint)}
        aria-required={required ? "true" : null}
      />
    </FieldFrame>
  )
}

type FrameProps = { id: string; label: string; hint?: string; children?: Children }

export function FieldFrame({ id, label, hint, children }: FrameProps): View {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p class="field-error" id={`${id}-error`} />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export const describedBy = (id: string, hint?: string): string => (hint ? `${id}-error ${id}-hint` : `${id}-error`)

/** Shows a field's error, or clears it with null. */
export function setFieldError(form: HTMLElement, id: string, problem: string | null): void {
  const input = byId(form, id)
  fill(byId(form, `${id}-error`), problem)
  if (problem) {
    input.setAttribute("aria-invalid", "true")
  } else {
    input.removeAttribute("aria-invalid")
  }
}
