import type { OperatorStaff, StaffRole } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { FormField } from "../../app/form-field.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { assignableRoles } from "../people/roles.ts";
import { type PersonAction, personActions } from "./offered-actions.ts";

const paths: Readonly<Record<PersonAction, string>> = {
  invite: "invitation",
  role: "role",
  disable: "disable",
  enable: "enable",
};

interface PersonActionsProps {
  readonly of: OperatorStaff;
  /** Whether this is the person who is signed in. */
  readonly isSelf: boolean;
  readonly onResult: (result: ActionResult) => void;
}

/** What an admin can do to an account. */
export const PersonActions = ({ of, isSelf, onResult }: PersonActionsProps) => {
  const { t } = useTranslation("people");
  const roleName = useWords("roles");
  const [asked, setAsked] = useState<PersonAction | null>(null);
  const [role, setRole] = useState<StaffRole>("viewer");
  const { name } = of;
  return (
    <>
      {personActions(of, isSelf).map((action) => (
        <Button
          key={action}
          look={action === "disable" ? "danger-quiet" : "secondary"}
          onClick={() => {
            if (of.role !== "partner") setRole(of.role);
            setAsked(action);
          }}
        >
          {t(`actions.${action}`)}
        </Button>
      ))}
      {asked && (
        <ActionDialog
          title={t(`ask.${asked}.title`, { name })}
          text={t(`ask.${asked}.text`)}
          confirm={t(`ask.${asked}.confirm`)}
          danger={asked === "disable"}
          path={`/staff/${of.id}/${paths[asked]}`}
          method={asked === "role" ? "PUT" : "POST"}
          body={asked === "role" ? { role } : {}}
          fields={["role"]}
          onClose={() => setAsked(null)}
          onDone={(answer) => {
            setAsked(null);
            const { url } = answer as { readonly url?: string };
            onResult({ text: t(`ask.${asked}.done`, { name }), copy: url ?? null });
          }}
        >
          {asked === "role" && (
            <FormField name="role" label={t("role")} hint={t("new.roleHint")}>
              <Select
                value={role}
                onChange={(event) => setRole(event.target.value as StaffRole)}
                options={assignableRoles.map((value) => ({ value, label: roleName(value) }))}
              />
            </FormField>
          )}
        </ActionDialog>
      )}
    </>
  );
};
