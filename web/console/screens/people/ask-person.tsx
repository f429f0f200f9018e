import type { AccountRole, OperatorStaff } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { FormField } from "../../app/form-field.tsx";
import { usePartners } from "../../api/queries.ts";
import { useWords } from "../../i18n/use-words.ts";
import { assignableRoles } from "./roles.ts";

interface AskPersonProps {
  readonly onClose: () => void;
  readonly onAdded: (person: OperatorStaff) => void;
}

/** Asks who is to have an account, and adds it. */
export const AskPerson = ({ onClose, onAdded }: AskPersonProps) => {
  const { t } = useTranslation("people");
  const roleName = useWords("roles");
  const partners = usePartners();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AccountRole>("viewer");
  const [partner, setPartner] = useState("");
  return (
    <ActionDialog
      title={t("new.title")}
      text={t("new.text")}
      confirm={t("new.confirm")}
      path="/staff"
      body={{
        name: name.trim(),
        email: email.trim(),
        role,
        ...(role === "partner" && partner !== "" && { partner_id: partner }),
      }}
      fields={["name", "email", "role", "partner_id"]}
      onClose={onClose}
      onDone={(answer) => onAdded(answer as OperatorStaff)}
    >
      <FormField name="name" label={t("new.name")}>
        <Input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      </FormField>
      <FormField name="email" label={t("new.email")}>
        <Input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </FormField>
      <FormField name="role" label={t("new.role")} hint={t("new.roleHint")}>
        <Select
          value={role}
          onChange={(event) => setRole(event.target.value as AccountRole)}
          options={[...assignableRoles, "partner"].map((value) => ({ value, label: roleName(value) }))}
        />
      </FormField>
      {role === "partner" && (
        <FormField name="partner_id" label={t("new.partner")}>
          <Select
            value={partner}
            placeholder={t("new.choose")}
            onChange={(event) => setPartner(event.target.value)}
            options={partners.list.map(({ id, name: label }) => ({ value: id, label }))}
          />
        </FormField>
      )}
    </ActionDialog>
  );
};
