import { h, type View } from "../lib/dom"
import { DIVISIONS } from "../lib/districts"
import { language, t } from "../text"
import { Field, FieldFrame, describedBy } from "./field"

/** What the fields of an address show at first. */
export type KnownAddress = {
  first_name?: string | null
  last_name?: string | null
  phone?: string | null
  address_1?: string | null
  address_2?: string | null
  city?: string | null
  postal_code?: string | null
}

/** `email`: the field's value; null leaves the field out. */
export function AddressFields({ known, email }: { known: KnownAddress; email: string | null }): View {
  return (
    <div>
      <Field id="name" label={t.address.name} value={nameOf(known)} autocomplete="name" maxlength={100} />
      <Field
        id="phone"
        label={t.address.phone}
        hint={t.address.phoneHint}
        value={known.phone}
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        maxlength={20}
      />
      {email !== null && <EmailField value={email} />}
      <Field
        id="street"
        label={t.address.street}
        hint={t.address.streetHint}
        value={known.address_1}
        autocomplete="address-line1"
        maxlength={200}
      />
      <Field
        id="area"
        label={t.address.area}
        value={known.address_2}
        autocomplete="address-line2"
        maxlength={100}
        required={false}
      />
      <div class="field-row">
        <DistrictField chosen={known.city} />
        <Field
          id="postcode"
          label={t.address.postcode}
          value={known.postal_code}
          inputmode="numeric"
          autocomplete="postal-code"
          maxlength={8}
          required={false}
        />
      </div>
    </div>
  )
}

export const nameOf = ({ first_name, last_name }: KnownAddress): string =>
  [first_name, last_name].filter(Boolean).join(" ")

function EmailField({ value }: { value: string }): View {
  return (
    <Field
      id="email"
      label={t.address.emailOptional}
      hint={t.address.emailHint}
      value={value}
      type="email"
      inputmode="email"
      autocomplete="email"
      maxlength={254}
      required={false}
    />
  )
}

function DistrictField({ chosen }: { chosen?: string | null }): View {
  return (
    <FieldFrame id="district" label={t.address.district}>
      <select
        id="district"
        name="district"
        autocomplete="address-level2"
        aria-required="true"
        aria-describedby={describedBy("district")}
      >
        <option value="">{t.address.districtChoose}</option>
        {DIVISIONS.map((division) => (
          <optgroup label={language === "bn" ? division.bangla : division.name}>
            {division.districts.map(([name, bangla]) => (
              <option value={name} selected={name === chosen}>
                {language === "bn" ? bangla : name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </FieldFrame>
  )
}
